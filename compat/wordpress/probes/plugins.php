<?php
/** The versions of WordPress and PHP. */
function compat_versions() {
	return array(
		'wordpress' => $GLOBALS['wp_version'],
		'php'       => PHP_VERSION,
	);
}

/** The plugins in the folder of plugins. */
function compat_plugins() {
	require_once ABSPATH . 'wp-admin/includes/plugin.php';
	$plugins = array();
	foreach ( get_plugins() as $file => $header ) {
		$plugins[] = array(
			'file'    => $file,
			'name'    => $header['Name'],
			'version' => $header['Version'],
		);
	}
	return $plugins;
}

/** Activates a plugin on the whole network. Returns why it is not active; null if it is. */
function compat_activate_plugin( $args ) {
	require_once ABSPATH . 'wp-admin/includes/plugin.php';
	$result = activate_plugin( $args['file'], '', true );
	if ( is_plugin_active_for_network( $args['file'] ) ) {
		return null;
	}
	return is_wp_error( $result ) ? wp_strip_all_tags( $result->get_error_message() ) : 'WordPress gives no reason.';
}
