<?php
/** Counters of requests and of failed authentications, one row of the main site's options for each key and minute. */

namespace Old_Endpoint;

const LIMITS_OPTION  = 'svc_old_limits';
const COUNTER_PREFIX = 'svc_old_count_';

/** Limits for each minute; 0: no limit. */
function limits() {
	return get_site_option( LIMITS_OPTION, array() ) + array(
		'requests_per_minute'      => 120,
		'auth_failures_per_minute' => 20,
	);
}

function seconds_left() {
	return 60 - time() % 60;
}

/** Counts once and returns the number in this minute. One statement, because the workers of PHP count at the same time. */
function count_once( $key ) {
	global $wpdb;
	$minute = intdiv( time(), 60 );
	$name   = COUNTER_PREFIX . $minute . '_' . substr( hash( 'sha256', $key ), 0, 40 );
	$table  = $wpdb->base_prefix . 'options';
	$rows   = $wpdb->query(
		$wpdb->prepare(
			"INSERT INTO `$table` (option_name, option_value, autoload) VALUES (%s, '1', 'no')
				ON DUPLICATE KEY UPDATE option_value = LAST_INSERT_ID(option_value + 1)",
			$name
		)
	);
	// MariaDB reports one row for an insert and two for an update.
	$count = 1 === $rows ? 1 : (int) $wpdb->get_var( 'SELECT LAST_INSERT_ID()' );
	if ( 1 === $count ) {
		$wpdb->query( $wpdb->prepare( "DELETE FROM `$table` WHERE option_name LIKE %s AND option_name < %s", $wpdb->esc_like( COUNTER_PREFIX ) . '%', COUNTER_PREFIX . $minute ) );
	}
	return $count;
}

function counted( $key ) {
	global $wpdb;
	$name  = COUNTER_PREFIX . intdiv( time(), 60 ) . '_' . substr( hash( 'sha256', $key ), 0, 40 );
	$table = $wpdb->base_prefix . 'options';
	return (int) $wpdb->get_var( $wpdb->prepare( "SELECT option_value FROM `$table` WHERE option_name = %s", $name ) );
}

/** The address of the client. The tests choose it, and proxies pass it on. */
function client_address() {
	$forwarded = explode( ',', $_SERVER['HTTP_X_FORWARDED_FOR'] ?? '' );
	$first     = trim( $forwarded[0] );
	return '' === $first ? ( $_SERVER['REMOTE_ADDR'] ?? '' ) : $first;
}

function assert_may_authenticate() {
	$most = limits()['auth_failures_per_minute'];
	if ( $most > 0 && counted( 'failures ' . client_address() ) >= $most ) {
		throw too_many_failures();
	}
}

function count_failure() {
	$most = limits()['auth_failures_per_minute'];
	if ( $most > 0 && count_once( 'failures ' . client_address() ) > $most ) {
		throw too_many_failures();
	}
}

function too_many_failures() {
	$wait = seconds_left();
	return new Failure( 'too_many_auth_failures', "Too many requests without a valid token came from this address. Retry in $wait seconds (Retry-After).", array( 'retry_after' => $wait ), array( 'Retry-After' => $wait ) );
}

/**
 * Counts a request.
 * Returns how many more are allowed in this minute, null if there is no limit, and the error if there were too many.
 */
function count_request( $key, $most ) {
	if ( 0 === $most ) {
		return array( null, null );
	}
	$count = count_once( "requests $key" );
	$wait  = seconds_left();
	$error = $count > $most
		? new Failure( 'too_many_requests', "More than $most requests in one minute. Retry in $wait seconds (Retry-After).", array( 'retry_after' => $wait ), array( 'Retry-After' => $wait ) )
		: null;
	return array( max( 0, $most - $count ), $error );
}
