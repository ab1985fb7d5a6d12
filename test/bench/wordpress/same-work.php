<?php
/**
 * The service's work done by WordPress: the endpoints that are measured, with WordPress's own functions, and one statement of its own
 * where WordPress has no function for many options at once. The same tokens open them.
 */

/** The holder of a token is the user of the request. */
function same_work_user( $user_id ) {
	global $wpdb;
	$header = $_SERVER['HTTP_AUTHORIZATION'] ?? '';
	if ( 0 !== strpos( $header, 'Bearer op_' ) ) {
		return $user_id;
	}
	$hash = hash( 'sha256', substr( $header, strlen( 'Bearer ' ) ) );
	$row  = $wpdb->get_row(
		$wpdb->prepare( "SELECT user_id, expires_at, revoked_at FROM {$wpdb->base_prefix}svc_tokens WHERE hash = UNHEX(%s)", $hash )
	);
	if ( ! $row || $row->revoked_at || ( $row->expires_at && $row->expires_at <= gmdate( 'Y-m-d H:i:s' ) ) ) {
		return $user_id;
	}
	return (int) $row->user_id;
}
add_filter( 'determine_current_user', 'same_work_user', 20 );

function same_work_routes() {
	$routes = array(
		array( 'GET', '/nothing', 'same_work_nothing' ),
		array( 'GET', '/data/menu\.(?P<location>\w+)', 'same_work_read_menu' ),
		array( 'GET', '/menus', 'same_work_list_menus' ),
		array( 'PUT', '/menus/(?P<id>\d+)/items', 'same_work_replace_items' ),
		array( 'GET', '/frames', 'same_work_list_frames' ),
		array( 'GET', '/frames/(?P<ref>[\w-]+)', 'same_work_get_frame' ),
		array( 'PUT', '/frames/(?P<ref>[\w-]+)', 'same_work_put_frame' ),
	);
	foreach ( $routes as list( $method, $path, $callback ) ) {
		register_rest_route(
			'svc/v1',
			$path,
			array(
				'methods'             => $method,
				'callback'            => $callback,
				'permission_callback' => 'same_work_may',
			)
		);
	}
}
add_action( 'rest_api_init', 'same_work_routes' );

function same_work_may() {
	return current_user_can( 'manage_options' );
}

function same_work_nothing() {
	$path = '/site/' . get_current_blog_id() . '/nothing';
	return new WP_Error( 'rest_no_route', "There is no endpoint GET $path. Check the method and the path.", array( 'status' => 404 ) );
}

function same_work_text( $stored ) {
	return html_entity_decode( $stored, ENT_QUOTES | ENT_HTML5, 'UTF-8' );
}

require __DIR__ . '/same-work/menus.php';
require __DIR__ . '/same-work/frames.php';
require __DIR__ . '/same-work/bake.php';
