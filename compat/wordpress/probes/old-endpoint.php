<?php
/** Settings of the old endpoint (compat/wordpress/old-endpoint). */

/** Issues a token for a user, by login. `more`: `label`, `expires_at_gmt`, `requests_per_minute`. */
function compat_issue_old_token( $args ) {
	return Old_Endpoint\issue_token( get_user_by( 'login', $args['login'] )->ID, $args['more'] ?? array() );
}

function compat_revoke_old_token( $args ) {
	Old_Endpoint\revoke_token( $args['token'] );
}

/** Sets how answers to a user deviate, by login; with no deviations they are right again. */
function compat_set_old_deviations( $args ) {
	$user = get_user_by( 'login', $args['login'] )->ID;
	Old_Endpoint\change_network_option(
		Old_Endpoint\DEVIATIONS_OPTION,
		function ( $stored ) use ( $user, $args ) {
			$stored[ $user ] = $args['deviations'];
			return $stored;
		}
	);
}

/** Sets the limits of the whole network: `requests_per_minute`, `auth_failures_per_minute`. Other test files run at the same time. */
function compat_set_old_limits( $limits ) {
	update_site_option( Old_Endpoint\LIMITS_OPTION, $limits );
}

/** The reports of the old endpoint on markup. */
function compat_old_reports( $texts ) {
	return array_map( 'Old_Endpoint\analyze', $texts );
}
