CREATE DATABASE compare_old; CREATE DATABASE compare_new;
