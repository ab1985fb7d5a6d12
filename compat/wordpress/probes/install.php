<?php
/**
 * Installs a network with WordPress's own installer: first the site, then the network (wp-admin/install.php, network.php). It
 * refuses a database that contains anything else than such a network.
 */
function compat_install() {
	global $wpdb;
	require_once ABSPATH . 'wp-admin/includes/upgrade.php';
	// The service may have created its own tables already.
	$others = preg_grep( "/^{$wpdb->base_prefix}svc_/", $wpdb->get_col( 'SHOW TABLES' ), PREG_GREP_INVERT );
	if ( $others ) {
		if ( 'net.test' !== $wpdb->get_var( "SELECT domain FROM {$wpdb->base_prefix}blogs WHERE blog_id = 1" ) ) {
			throw new RuntimeException( 'The database contains other tables. Use an empty database for the tests.' );
		}
		return true;
	}
	wp_install( 'Net', 'root', 'root@net.test', true, '', 'a password' );
	foreach ( $wpdb->tables( 'ms_global' ) as $table => $prefixed_table ) {
		$wpdb->$table = $prefixed_table;
	}
	install_network();
	return populate_network( 1, 'net.test', 'root@net.test', 'Net', '/', false );
}

/** Creates a site with its own administrator and the theme with the four locations. */
function compat_make_site( $args ) {
	require_once ABSPATH . 'wp-admin/includes/ms.php';
	WP_Theme::network_enable_theme( 'four-places' );
	$user = wpmu_create_user( $args['admin'], 'a password', $args['admin'] . '@net.test' );
	$site = wpmu_create_blog( 'net.test', $args['path'], $args['title'], $user, array( 'public' => 1 ), 1 );
	if ( is_wp_error( $site ) ) {
		return $site;
	}
	switch_to_blog( $site );
	switch_theme( 'four-places' );
	// At the next request WordPress would copy the assignments of menus from the previous theme.
	delete_option( 'theme_switched' );
	foreach ( $args['options'] as $name => $value ) {
		update_option( $name, $value );
	}
	return $site;
}
