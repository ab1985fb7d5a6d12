import type { FpmPlan } from '../../../compat/setup/php-fpm.ts'

/** The folders of the servers of one run, and the folder that they serve. */
export type ServerPlan = FpmPlan & { readonly root: string; readonly port: number }

/** Configuration of nginx in front of PHP: it passes every request to WordPress, because there are no files to send. */
export function nginxConf({ folder, root, port, isRoot }: ServerPlan): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
${isRoot ? 'user root;' : ''}
worker_processes auto;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx-error.log;
events { worker_connections 1024; }
http {
  access_log ${folder}/nginx-access.log;
  client_max_body_size 16m;
  keepalive_requests 1000000;
  ${temporary.map((name) => `${name}_temp_path ${folder}/nginx-${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    location / {
      fastcgi_pass unix:${folder}/php.sock;
      fastcgi_buffers 256 16k;
      fastcgi_read_timeout 600s;
      fastcgi_param SCRIPT_FILENAME ${root}/index.php;
      fastcgi_param SCRIPT_NAME /index.php;
      fastcgi_param DOCUMENT_ROOT ${root};
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param REQUEST_URI $request_uri;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param SERVER_PROTOCOL $server_protocol;
      fastcgi_param SERVER_NAME $host;
      fastcgi_param SERVER_PORT 80;
      fastcgi_param REMOTE_ADDR $remote_addr;
    }
  }
}
`
}
