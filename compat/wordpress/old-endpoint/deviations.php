<?php
/**
 * Known ways in which an endpoint may differ from wp-frames, for the tests of the programs that find differences. A request has those of its
 * header `X-Deviate: order, slow=200`, and those of its user in the network option `svc_old_deviations` (user id => name => value; '*' for all users).
 *
 *   order           lists in the reverse order
 *   arrays          `[]` where an empty `{}` is right
 *   notices         a warning of PHP before the JSON
 *   ids             ids as strings
 *   missing=FIELD   a field is left out, or several: updated_by+assigned [both of these]
 *   extra           an additional field in each frame, menu and item
 *   value=FIELD     another value: a number is one more, a text ends with "!"; or several [binds+name]
 *   markup          markup with CR LF instead of LF
 *   slow=MS         answers later
 *   errors=P        500 with this probability [1]
 *   login           a redirect to the login page
 *   html            an HTML page with status 200
 *   dry_run         writes in spite of `dry_run`
 *   busy=N          429 with Retry-After: 1 for each N-th request of the token [1]
 *   on=FAMILY       only requests of this family: frames, menus, data, pages or media
 *   method=METHOD   only requests with this method
 */

namespace Old_Endpoint;

const DEVIATIONS_OPTION = 'svc_old_deviations';

function deviations_of_header( $request ) {
	$found = array();
	foreach ( explode( ',', (string) $request->get_header( 'x_deviate' ) ) as $written ) {
		list( $name, $value ) = array_pad( explode( '=', trim( $written ), 2 ), 2, true );
		if ( '' !== $name ) {
			$found[ $name ] = $value;
		}
	}
	return $found;
}

function deviations_of_user( $user_id ) {
	$stored = get_site_option( DEVIATIONS_OPTION, array() );
	return ( $stored[ $user_id ] ?? array() ) + ( $stored['*'] ?? array() );
}

/** The value of a deviation of this request: `$default` if it has none of its own, null if the request does not deviate in this way. */
function deviation( $request, $name, $default = true ) {
	$value  = Current::$deviations[ $name ] ?? null;
	$family = Current::$deviations['on'] ?? null;
	$method = Current::$deviations['method'] ?? null;
	if ( null === $value || false === $value || ( null !== $family && family_of( $request ) !== $family ) ) {
		return null;
	}
	if ( null !== $method && strtoupper( $method ) !== $request->get_method() ) {
		return null;
	}
	return true === $value ? $default : $value;
}

function family_of( $request ) {
	return preg_match( '#^/svc(?:-old)?/v1/(?:site/[^/]+/)?([a-z]+)#', $request->get_route(), $found ) ? $found[1] : '';
}

/** Answers instead of the endpoint, or delays it; null to continue. */
function deviate_before( $request ) {
	$wait = deviation( $request, 'slow', 200 );
	if ( null !== $wait ) {
		usleep( 1000 * (int) $wait );
	}
	$every = (int) deviation( $request, 'busy', 1 );
	if ( $every > 0 && 0 === count_once( 'busy ' . Current::$caller['hash'] ) % $every ) {
		throw new Failure( 'too_many_requests', 'Too many requests. Retry in 1 second (Retry-After).', array( 'retry_after' => 1 ), array( 'Retry-After' => 1 ) );
	}
	$probability = deviation( $request, 'errors', 1 );
	if ( null !== $probability && wp_rand( 0, 999999 ) < 1000000 * (float) $probability ) {
		throw new Failure( 'internal_error', 'Unexpected server error.' );
	}
	if ( deviation( $request, 'login' ) ) {
		return new \WP_REST_Response( null, 302, array( 'Location' => wp_login_url() ) );
	}
	return null;
}

/** Changes the data of a response. */
function deviate_after( $response, $request ) {
	$data = $response->get_data();
	if ( ! is_array( $data ) || empty( $data['success'] ) ) {
		return $response;
	}
	$missing = deviation( $request, 'missing', 'updated_by+assigned' );
	$value   = deviation( $request, 'value', 'binds+name' );
	$changes = array_filter(
		array(
			'order'   => deviation( $request, 'order' ),
			'arrays'  => deviation( $request, 'arrays' ),
			'ids'     => deviation( $request, 'ids' ),
			'extra'   => deviation( $request, 'extra' ),
			'markup'  => deviation( $request, 'markup' ),
			'missing' => null === $missing ? null : explode( '+', $missing ),
			'value'   => null === $value ? null : explode( '+', $value ),
		)
	);
	if ( $changes ) {
		$response->set_data( changed( $data, '', $changes ) );
	}
	return $response;
}

const FIELDS_WITH_IDS = array( 'id', 'site_id', 'parent', 'page', 'pages', 'updated_by', 'removed', 'unbound_pages' );

function changed( $value, $name, $changes ) {
	if ( is_object( $value ) ) {
		return isset( $changes['arrays'] ) && array() === get_object_vars( $value ) ? array() : $value;
	}
	if ( ! is_array( $value ) ) {
		return changed_scalar( $value, $name, $changes );
	}
	if ( array_is_list( $value ) ) {
		$items = array_map(
			function ( $item ) use ( $name, $changes ) {
				return changed( $item, $name, $changes );
			},
			$value
		);
		return isset( $changes['order'] ) ? array_reverse( $items ) : $items;
	}
	$result = array();
	foreach ( $value as $key => $field ) {
		if ( ! in_array( $key, $changes['missing'] ?? array(), true ) ) {
			$result[ $key ] = changed( $field, (string) $key, $changes );
		}
	}
	if ( isset( $changes['extra'], $value['id'] ) ) {
		$result['extra'] = 'of the old endpoint';
	}
	return $result;
}

function changed_scalar( $value, $name, $changes ) {
	if ( isset( $changes['ids'] ) && is_int( $value ) && in_array( $name, FIELDS_WITH_IDS, true ) ) {
		return (string) $value;
	}
	if ( isset( $changes['markup'] ) && 'html' === $name ) {
		return preg_replace( '/\r?\n/', "\r\n", $value );
	}
	if ( in_array( $name, $changes['value'] ?? array(), true ) ) {
		return is_int( $value ) ? $value + 1 : ( is_string( $value ) ? "$value!" : $value );
	}
	return $value;
}

/** Prints something before the JSON, or instead of it. */
function print_deviations( $served, $response, $request ) {
	if ( $served || ! is_ours( $request ) ) {
		return $served;
	}
	if ( deviation( $request, 'html' ) ) {
		header( 'Content-Type: text/html; charset=UTF-8' );
		echo '<!DOCTYPE html><title>Maintenance</title><p>Briefly unavailable for scheduled maintenance.</p>';
		return true;
	}
	if ( deviation( $request, 'notices' ) ) {
		echo "<br />\n<b>Warning</b>:  Undefined array key \"lang\" in <b>/srv/wordpress/wp-content/mu-plugins/svc.php</b> on line <b>42</b><br />\n";
	}
	return $served;
}
