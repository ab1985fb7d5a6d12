<?php
/**
 * Registers each endpoint twice: below `/site/<id>`, and in the older addressing. A handler gets a call: `site`, `user`, `params`, `query`,
 * `body`, `request`, and returns the body of the response without `success`, or a WP_REST_Response.
 */

namespace Old_Endpoint;

/** The second one is the path that wp-frames takes over. */
const NAMESPACES = array( 'svc-old/v1', 'svc/v1' );

/** What is known of the current request. */
final class Current {
	public static $caller = null;
	public static $remaining = null;
	public static $deviations = array();
}

function register_routes() {
	// Before `/frames/{ref}`, which would match them.
	foreach ( array( 'GET', 'POST', 'PUT', 'PATCH', 'DELETE' ) as $method ) {
		endpoint( $method, '/frames/defaults', 'frame_defaults_gone' );
	}
	endpoint( 'POST', '/frames/{ref}/default', 'frame_defaults_gone' );
	endpoint( 'GET', '/frames', 'list_frames' );
	endpoint( 'POST', '/frames', 'create_frame' );
	endpoint( 'POST', '/frames/rebake', 'rebake_frames' );
	endpoint( 'GET', '/frames/{ref}', 'get_frame' );
	endpoint( 'PUT', '/frames/{ref}', 'replace_frame' );
	endpoint( 'PATCH', '/frames/{ref}', 'rename_frame' );
	endpoint( 'DELETE', '/frames/{ref}', 'delete_frame' );
	endpoint( 'POST', '/frames/{ref}/assign', 'assign_frame' );
	endpoint( 'GET', '/menus', 'list_menus' );
	endpoint( 'POST', '/menus', 'create_menu' );
	endpoint( 'PATCH', '/menus/{ref}', 'rename_menu' );
	endpoint( 'DELETE', '/menus/{ref}', 'delete_menu' );
	endpoint( 'PUT', '/menus/{ref}/location', 'assign_location' );
	endpoint( 'PUT', '/menus/{ref}/items', 'replace_items' );
	endpoint( 'POST', '/menus/{ref}/items', 'add_item' );
	endpoint( 'PATCH', '/menus/{ref}/items/{id}', 'update_item' );
	endpoint( 'DELETE', '/menus/{ref}/items/{id}', 'remove_item' );
	endpoint( 'POST', '/menus/{ref}/reorder', 'reorder_items' );
	endpoint( 'GET', '/data/{source}', 'get_data' );
	endpoint( 'GET', '/pages', 'list_pages' );
	endpoint( 'POST', '/pages', 'create_page' );
	endpoint( 'GET', '/pages/{id}', 'get_page' );
	endpoint( 'PUT', '/pages/{id}', 'update_page' );
	endpoint( 'GET', '/media', 'list_media' );
	endpoint( 'POST', '/media', 'upload_media' );
	endpoint( 'GET', '/media/{id}', 'get_media' );
	endpoint( 'GET', '/media/{id}/bytes', 'get_media_bytes' );
}

/** Registers a function of this namespace as an endpoint. */
function endpoint( $method, $path, $handler ) {
	$pattern = preg_replace( '/\{(\w+)\}/', '(?P<$1>[^/]+)', $path );
	foreach ( NAMESPACES as $namespace ) {
		foreach ( array( '/site/(?P<site_id>[^/]+)', '' ) as $prefix ) {
			register_rest_route(
				$namespace,
				$prefix . $pattern,
				array(
					'methods'             => $method,
					'permission_callback' => '__return_true',
					'callback'            => function ( $request ) use ( $handler ) {
						return respond( $request, __NAMESPACE__ . '\\' . $handler );
					},
				)
			);
		}
	}
}

function is_ours( $request ) {
	foreach ( NAMESPACES as $namespace ) {
		if ( 0 === strpos( $request->get_route(), "/$namespace/" ) ) {
			return true;
		}
	}
	return false;
}

/** Authenticates and counts each request, also one without a route. */
function before_dispatch( $result, $server, $request ) {
	if ( ! is_ours( $request ) ) {
		return $result;
	}
	Current::$deviations = deviations_of_header( $request );
	try {
		$error  = null;
		$caller = null;
		try {
			assert_may_authenticate();
			try {
				$caller = authenticate( token_of( $request ) );
			} catch ( Failure $failure ) {
				count_failure();
				throw $failure;
			}
		} catch ( Failure $failure ) {
			$error = $failure;
		}
		$most = $caller['requests_per_minute'] ?? limits()['requests_per_minute'];
		list( Current::$remaining, $exceeded ) = count_request( $caller ? $caller['hash'] : client_address(), $most );
		if ( $exceeded && ( ! $error || 'too_many_auth_failures' !== $error->error ) ) {
			throw $exceeded;
		}
		if ( $error ) {
			throw $error;
		}
		Current::$caller      = $caller;
		Current::$deviations += deviations_of_user( $caller['user']->ID );
		return deviate_before( $request );
	} catch ( Failure $failure ) {
		return $failure->response();
	}
}

/** Runs an endpoint on the chosen site. */
function respond( $request, $handler ) {
	$switched = false;
	try {
		$user = Current::$caller['user'];
		$url  = $request->get_url_params();
		$site = isset( $url['site_id'] ) ? site_of_path( $user, $url['site_id'] ) : null;
		$body = read_body( $request );
		$site = $site ?? site_of_selector( $user, $request, $body );
		switch_to_blog( (int) $site->blog_id );
		$switched = true;
		// `switch_to_blog` keeps the permalinks of the other site.
		$GLOBALS['wp_rewrite']->init();
		// Titles are returned as they are stored.
		remove_all_filters( 'the_title' );
		$call   = array(
			'site'    => (int) $site->blog_id,
			'user'    => $user,
			'params'  => $url,
			'query'   => $request->get_query_params(),
			'body'    => $body,
			'request' => $request,
		);
		$run    = function () use ( $handler, $call ) {
			return $handler( $call );
		};
		$answer = 'GET' === $request->get_method() ? $run() : in_transaction( $run );
		return $answer instanceof \WP_REST_Response ? $answer : new \WP_REST_Response( array( 'success' => true ) + $answer );
	} catch ( Failure $failure ) {
		return $failure->response();
	} finally {
		if ( $switched ) {
			restore_current_blog();
			$GLOBALS['wp_rewrite']->init();
		}
		wp_set_current_user( 0 );
	}
}

/** The JSON of a body; null if there is none, or if it is an upload. */
function read_body( $request ) {
	if ( '' === $request->get_body() || 1 === preg_match( '#/media$#', $request->get_route() ) ) {
		return null;
	}
	if ( ! $request->is_json_content_type() ) {
		throw new Failure( 'rest_unsupported_media_type', 'The body must be JSON in UTF-8. Send it with the header Content-Type: application/json.' );
	}
	return json_decode( $request->get_body(), true );
}

function after_dispatch( $response, $server, $request ) {
	if ( ! is_ours( $request ) ) {
		return $response;
	}
	if ( null !== Current::$remaining ) {
		$response->header( 'X-RateLimit-Remaining', (string) Current::$remaining );
	}
	return deviate_after( $response, $request );
}

function frame_defaults_gone() {
	throw new Failure( 'gone', 'Frame types and default frames were removed. Assign a frame to each page with POST /frames/{ref}/assign.' );
}
