<?php
/**
 * Tokens. The network option `svc_old_tokens` maps the SHA-256 of each token, in hexadecimal, to the user and to the data of the token:
 * `user_id`, `label`, `created_at_gmt`, `expires_at_gmt` and `revoked_at_gmt` (null: never), `requests_per_minute` (null: the network's limit).
 */

namespace Old_Endpoint;

const TOKENS_OPTION = 'svc_old_tokens';

/** Issues a token and returns it. It is not stored, only its hash. */
function issue_token( $user_id, $more = array() ) {
	$letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
	$token   = 'op_';
	for ( $length = 0; $length < 64; $length++ ) {
		$token .= $letters[ random_int( 0, strlen( $letters ) - 1 ) ];
	}
	change_network_option(
		TOKENS_OPTION,
		function ( $tokens ) use ( $token, $user_id, $more ) {
			$tokens[ hash( 'sha256', $token ) ] = $more + array(
				'user_id'             => $user_id,
				'label'               => '',
				'created_at_gmt'      => gmdate( 'Y-m-d H:i:s' ),
				'expires_at_gmt'      => null,
				'revoked_at_gmt'      => null,
				'requests_per_minute' => null,
			);
			return $tokens;
		}
	);
	return $token;
}

function revoke_token( $token ) {
	change_network_option(
		TOKENS_OPTION,
		function ( $tokens ) use ( $token ) {
			$tokens[ hash( 'sha256', $token ) ]['revoked_at_gmt'] = gmdate( 'Y-m-d H:i:s' );
			return $tokens;
		}
	);
}

/** Changes a network option under a lock, because test files run at the same time. */
function change_network_option( $name, $change ) {
	global $wpdb;
	$wpdb->get_var( $wpdb->prepare( 'SELECT GET_LOCK(%s, 20)', $name ) );
	wp_cache_flush();
	update_site_option( $name, $change( get_site_option( $name, array() ) ) );
	$wpdb->get_var( $wpdb->prepare( 'SELECT RELEASE_LOCK(%s)', $name ) );
}

/** The token of a request. `Authorization` takes precedence over `X-Svc-Key`. */
function token_of( $request ) {
	if ( preg_match( '/^Bearer +(\S.*)$/i', (string) $request->get_header( 'authorization' ), $found ) ) {
		return trim( $found[1] );
	}
	$key = trim( (string) $request->get_header( 'x_svc_key' ) );
	return '' === $key ? null : $key;
}

/** The caller: the user, and the data of the token. Throws `missing_token` or `invalid_token`. */
function authenticate( $token ) {
	if ( null === $token ) {
		throw new Failure( 'missing_token', 'The request has no API token. Send one as "Authorization: Bearer <token>" or in the header X-Svc-Key.' );
	}
	$stored = preg_match( '/^op_[A-Za-z0-9]{64}$/D', $token ) ? ( get_site_option( TOKENS_OPTION, array() )[ hash( 'sha256', $token ) ] ?? null ) : null;
	$now    = gmdate( 'Y-m-d H:i:s' );
	$valid  = $stored && null === $stored['revoked_at_gmt'] && ( null === $stored['expires_at_gmt'] || $stored['expires_at_gmt'] > $now );
	$user   = $valid ? get_userdata( $stored['user_id'] ) : false;
	if ( ! $user || $user->data->spam || $user->data->deleted ) {
		throw new Failure( 'invalid_token', 'The API token is invalid. Check that it is complete (op_ and 64 characters), or ask for a new one.' );
	}
	return array( 'user' => $user, 'hash' => hash( 'sha256', $token ) ) + $stored;
}
