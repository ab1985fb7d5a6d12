<?php
/**
 * The configuration of every WordPress that the service is compared with: its database comes from the environment, and it is a
 * network in subdirectories once the installer has created one.
 */

// The network has one host. Programs that cannot send it, because they know the address of the server only, are served as well.
if ( ! preg_match( '/\.test$/', $_SERVER['HTTP_HOST'] ?? '' ) ) {
	$_SERVER['HTTP_HOST']   = 'net.test';
	$_SERVER['SERVER_PORT'] = '80';
}

define( 'DB_NAME', getenv( 'COMPAT_DB_NAME' ) );
define( 'DB_USER', getenv( 'COMPAT_DB_USER' ) );
define( 'DB_PASSWORD', getenv( 'COMPAT_DB_PASSWORD' ) );
define( 'DB_HOST', getenv( 'COMPAT_DB_HOST' ) );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
$table_prefix = 'wp_';

foreach ( array( 'AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE' ) as $compat_name ) {
	define( $compat_name . '_KEY', 'nobody signs in here' );
	define( $compat_name . '_SALT', 'nobody signs in here' );
}

// Errors go to the server's log, except in benchmarks, and nothing leaves the machine.
define( 'WP_DEBUG', '0' !== getenv( 'COMPAT_DEBUG' ) );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'DISABLE_WP_CRON', true );

if ( defined( 'WP_INSTALLING' ) ) {
	define( 'WP_SITEURL', 'http://net.test' );
} else {
	define( 'MULTISITE', true );
	define( 'SUBDOMAIN_INSTALL', false );
	define( 'DOMAIN_CURRENT_SITE', 'net.test' );
	define( 'PATH_CURRENT_SITE', '/' );
	define( 'SITE_ID_CURRENT_SITE', 1 );
	define( 'BLOG_ID_CURRENT_SITE', 1 );
}

// The object cache drop-in reads here whether it is enabled, and which format of keys it uses.
if ( ! isset( $compat_cache ) && getenv( 'COMPAT_CACHE_URL' ) ) {
	$compat_cache = array(
		'form'   => 'redis-object-cache',
		'url'    => getenv( 'COMPAT_CACHE_URL' ),
		'prefix' => '',
	);
}
if ( ! isset( $compat_cache ) ) {
	$wp_filter = array(
		'enable_loading_object_cache_dropin' => array(
			10 => array(
				array(
					'function'      => '__return_false',
					'accepted_args' => 0,
				),
			),
		),
	);
}

if ( getenv( 'COMPAT_PLUGINS_DIR' ) ) {
	define( 'WP_PLUGIN_DIR', getenv( 'COMPAT_PLUGINS_DIR' ) );
}

if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', $_SERVER['DOCUMENT_ROOT'] . '/' );
}
require_once ABSPATH . 'wp-settings.php';
