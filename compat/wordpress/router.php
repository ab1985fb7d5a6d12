<?php
/**
 * Serves every request of PHP's built-in web server: `compat.php`, and WordPress itself as a web server serves a network in subdirectories
 * (the rules of `.htaccess` that WordPress prints in its network setup).
 */

$compat_root = $_SERVER['DOCUMENT_ROOT'];
$compat_path = rawurldecode( (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) );

if ( '/compat.php' === $compat_path ) {
	require __DIR__ . '/compat.php';
	return;
}
if ( preg_match( '#^(/[_0-9a-zA-Z-]+)?/wp-admin$#', $compat_path ) ) {
	header( 'Location: http://' . $_SERVER['HTTP_HOST'] . "$compat_path/", true, 301 );
	return;
}
if ( ! is_file( $compat_root . $compat_path ) ) {
	$compat_path = preg_replace( '#^/[_0-9a-zA-Z-]+(/wp-(?:content|admin|includes)(?:/.*)?|/.*\.php)$#', '$1', $compat_path );
}
if ( is_file( "$compat_root$compat_path/index.php" ) && '/' === substr( $compat_path, -1 ) ) {
	$compat_path .= 'index.php';
}
$compat_file = $compat_root . $compat_path;
if ( false !== strpos( $compat_path, '..' ) || ! is_file( $compat_file ) ) {
	$compat_path = '/index.php';
	$compat_file = "$compat_root/index.php";
}
if ( '.php' !== substr( $compat_path, -4 ) ) {
	$compat_types = array(
		'css'  => 'text/css',
		'js'   => 'text/javascript',
		'svg'  => 'image/svg+xml',
		'png'  => 'image/png',
		'jpg'  => 'image/jpeg',
		'gif'  => 'image/gif',
		'txt'  => 'text/plain',
		'html' => 'text/html',
	);
	header( 'Content-Type: ' . ( $compat_types[ pathinfo( $compat_path, PATHINFO_EXTENSION ) ] ?? 'application/octet-stream' ) );
	readfile( $compat_file );
	return;
}
$_SERVER['SCRIPT_NAME']     = $compat_path;
$_SERVER['PHP_SELF']        = $compat_path;
$_SERVER['SCRIPT_FILENAME'] = $compat_file;
chdir( dirname( $compat_file ) );
require $compat_file;
