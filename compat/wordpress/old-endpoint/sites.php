<?php
/** How a request chooses its site, and who may manage it. */

namespace Old_Endpoint;

function site_not_found() {
	return new Failure( 'site_not_found', 'The site does not exist, or this token does not belong to one of its administrators. Check the site id.' );
}

function is_super( $user ) {
	return in_array( $user->user_login, get_super_admins(), true );
}

function may_manage( $user, $blog_id ) {
	global $wpdb;
	$roles = get_user_meta( $user->ID, $wpdb->get_blog_prefix( $blog_id ) . 'capabilities', true );
	return is_super( $user ) || ( is_array( $roles ) && ! empty( $roles['administrator'] ) );
}

/** The site of a path, if the caller manages it. A foreign site and a missing one have the same answer. */
function site_of_path( $user, $text ) {
	$site = is_blog_id( $text ) ? open_site( $user, $text ) : null;
	if ( ! $site || ! may_manage( $user, (int) $site->blog_id ) ) {
		throw site_not_found();
	}
	return $site;
}

/** The site of the older addressing, and how it was chosen. */
function site_of_selector( $user, $request, $body ) {
	list( $by, $value ) = selector_of( $request, $body );
	header( "X-Svc-Blog-Source: $by" );
	if ( 'default' === $by ) {
		$site = open_site( $user, get_main_site_id() );
	} elseif ( 'domain' === $by ) {
		$site = site_at( $user, $value );
	} else {
		$text = is_int( $value ) || is_string( $value ) ? (string) $value : '';
		if ( ! is_blog_id( $text ) ) {
			throw invalid_param( 'header' === $by ? 'X-Svc-Blog-Id' : $by, 'must be a positive integer' );
		}
		$site = open_site( $user, $text );
	}
	if ( ! $site ) {
		throw site_not_found();
	}
	if ( ! may_manage( $user, (int) $site->blog_id ) ) {
		throw new Failure( 'insufficient_role', 'This token does not belong to an administrator of the chosen site.' );
	}
	return $site;
}

function selector_of( $request, $body ) {
	$query = $request->get_query_params();
	$field = function ( $name ) use ( $query, $body ) {
		return $query[ $name ] ?? ( is_array( $body ) ? $body[ $name ] ?? null : null );
	};
	$sent  = array(
		'blog_id' => $field( 'blog_id' ),
		'header'  => $request->get_header( 'x_svc_blog_id' ),
		'domain'  => $field( 'domain' ),
	);
	foreach ( $sent as $by => $value ) {
		if ( null !== $value ) {
			return array( $by, $value );
		}
	}
	return array( 'default', null );
}

function is_blog_id( $text ) {
	return 1 === preg_match( '/^[1-9]\d{0,17}$/D', $text );
}

/** A site that is not closed to the caller: deleted sites are closed to all, archived and spam sites to all but super administrators. */
function open_site( $user, $blog_id ) {
	$site = get_site( (int) $blog_id );
	if ( ! $site || $site->deleted || ( ( $site->archived || $site->spam ) && ! is_super( $user ) ) ) {
		return null;
	}
	return $site;
}

function site_at( $user, $domain ) {
	if ( ! is_string( $domain ) || ! preg_match( '#^([^/\s]+)((?:/[^/\s]+)*)/?$#D', trim( $domain ), $found ) ) {
		throw invalid_param( 'domain', 'must be a host, or a host and a path as in net.test/shop' );
	}
	$sites = get_sites( array( 'domain' => $found[1], 'path' => $found[2] . '/', 'number' => 1 ) );
	return $sites ? open_site( $user, $sites[0]->blog_id ) : null;
}
