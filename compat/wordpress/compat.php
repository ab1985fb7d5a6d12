<?php
/**
 * WordPress, asked over HTTP: `{"site": "/shop/", "user": "alice", "cache": null, "probe": "menus", "args": {}}` is answered by
 * `{"answer": …}` or `{"error": …}`. Each probe runs in its own request, in which WordPress starts as it does for a
 * visitor. It executes every request, so run it only on a machine for tests.
 */

$compat_body = file_get_contents( 'php://input' );
if ( '' === $compat_body ) {
	exit( 'ready' );
}
$compat_request = json_decode( $compat_body, true, 512, JSON_THROW_ON_ERROR );

$_SERVER['HTTP_HOST']      = 'net.test';
$_SERVER['SERVER_NAME']    = 'net.test';
$_SERVER['SERVER_PORT']    = '80';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['REQUEST_URI']    = $compat_request['site'];
$_SERVER['SCRIPT_NAME']    = '/index.php';
$_SERVER['PHP_SELF']       = '/index.php';

/** No mail is sent. */
function wp_mail() {
	return true;
}

if ( 'install' === $compat_request['probe'] ) {
	define( 'WP_INSTALLING', true );
}
if ( 'write_menu_on_screen' === $compat_request['probe'] ) {
	define( 'WP_ADMIN', true );
}

$compat_cache = $compat_request['cache'];

require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';

foreach ( glob( __DIR__ . '/probes/*.php' ) as $compat_file ) {
	require $compat_file;
}

// Titles are returned as they are stored, without typographic quotes.
add_filter( 'run_wptexturize', '__return_false' );
if ( isset( $compat_request['user'] ) ) {
	wp_set_current_user( get_user_by( 'login', $compat_request['user'] )->ID );
}

try {
	$compat_answer = array( 'answer' => compat_plain( call_user_func( 'compat_' . $compat_request['probe'], $compat_request['args'] ) ) );
} catch ( Throwable $compat_thrown ) {
	$compat_answer = array( 'error' => (string) $compat_thrown );
}
header( 'Content-Type: application/json' );
echo json_encode( $compat_answer, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION );

/** Converts a value for JSON: a WP_Error to its code, an object to its public properties. */
function compat_plain( $value ) {
	if ( is_wp_error( $value ) ) {
		return array( 'wp_error' => $value->get_error_code() );
	}
	if ( $value instanceof WP_Post || $value instanceof WP_User ) {
		$value = $value->to_array();
	} elseif ( is_object( $value ) ) {
		$value = get_object_vars( $value );
	}
	return is_array( $value ) ? array_map( 'compat_plain', $value ) : $value;
}
