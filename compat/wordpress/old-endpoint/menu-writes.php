<?php
/** Writes of menus, with WordPress's own functions. */

namespace Old_Endpoint;

/** A body that is not an object has no fields. */
function menu_body( $call ) {
	$body = $call['body'];
	return is_array( $body ) && ( array() === $body || ! array_is_list( $body ) ) ? $body : array();
}

function assert_location( $location ) {
	if ( ! in_array( $location, LOCATIONS, true ) ) {
		throw new Failure( 'unknown_location', 'Unknown location. A menu can be assigned to ' . implode( ', ', LOCATIONS ) . '.', array( 'locations' => LOCATIONS ) );
	}
}

/** Assigns a menu and reads the map back. */
function assign_menu( $menu_id, $location, $theme ) {
	$mods = get_option( "theme_mods_$theme", array() );
	$mods = is_array( $mods ) ? $mods : array();

	$mods['nav_menu_locations']              = $mods['nav_menu_locations'] ?? array();
	$mods['nav_menu_locations'][ $location ] = $menu_id;
	update_option( "theme_mods_$theme", $mods );
	if ( ( locations_of( $theme )[ $location ] ?? 0 ) !== $menu_id ) {
		throw new Failure( 'menu_assignment_not_stored', 'WordPress stores another assignment.', array( 'read_back' => array( "theme_mods_$theme" => locations_of( $theme ) ) ) );
	}
}

/** The name to store and whether it was changed, because names of menus are unique. */
function unique_name( $name, $self = 0 ) {
	$unique = $name;
	for ( $number = 2; is_taken( 'name', $unique, $self ); $number++ ) {
		$unique = "$name ($number)";
	}
	return $unique;
}

function unique_slug( $slug, $self = 0 ) {
	$unique = $slug;
	for ( $number = 2; is_taken( 'slug', $unique, $self ); $number++ ) {
		$unique = "$slug-$number";
	}
	return $unique;
}

function is_taken( $field, $value, $self ) {
	foreach ( wp_get_nav_menus() as $menu ) {
		if ( $menu->term_id !== $self && 0 === strcasecmp( $menu->$field, $value ) ) {
			return true;
		}
	}
	return false;
}

function read_name( $value ) {
	$name = is_string( $value ) || is_int( $value ) || is_float( $value ) ? stored_name( (string) $value ) : '';
	if ( '' === $name ) {
		throw new Failure( 'menu_name_required', 'A menu needs a name. Send it as a text in "name".' );
	}
	if ( mb_strlen( $name ) > 200 ) {
		throw invalid_param( 'name', 'must have at most 200 characters' );
	}
	return $name;
}

function read_menu_slug( $fields ) {
	$slug = given( $fields, 'slug' );
	if ( null !== $slug && ! is_string( $slug ) && ! is_int( $slug ) ) {
		throw invalid_param( 'slug', 'must be a text' );
	}
	return null === $slug ? null : (string) $slug;
}

/** Stores a name and a slug. They are unique already. */
function store_names( $menu_id, $name, $slug ) {
	// `wp_update_nav_menu_object` derives the slug from the name.
	$stored = wp_update_term( $menu_id, 'nav_menu', wp_slash( array( 'name' => $name, 'slug' => $slug ) ) );
	if ( is_wp_error( $stored ) ) {
		throw invalid_param( 'name', $stored->get_error_message() );
	}
}

function create_menu( $call ) {
	$body = menu_body( $call );
	$name = read_name( given( $body, 'name' ) );
	$sent = read_menu_slug( $body );
	$tree = read_tree( given( $body, 'items' ) ?? array() );
	assert_no_language( $body );
	$location = given( $body, 'location' );
	$theme    = theme_of( $body );
	if ( null !== $location ) {
		assert_location( $location );
	}
	$tree->assert_complete( flag( $body, 'allow_invalid', false ) );
	$unique   = unique_name( $name );
	$base     = sanitize_title( $sent ?? '' );
	$base     = '' === $base ? sanitize_title( $name ) : $base;
	$slug     = unique_slug( $base );
	$warnings = array_merge( $unique === $name ? array() : array( 'name_changed' ), $slug === $base && ( null === $sent || $slug === $sent ) ? array() : array( 'slug_changed' ) );
	$created  = wp_insert_term( wp_slash( $unique ), 'nav_menu', array( 'slug' => $slug ) );
	if ( is_wp_error( $created ) ) {
		throw invalid_param( 'name', $created->get_error_message() );
	}
	$menu = get_term( $created['term_id'], 'nav_menu' );
	if ( null !== $location ) {
		assign_menu( $menu->term_id, $location, $theme );
	}
	$items = present_written( $tree, insert_items( $call, $menu, $tree, 0, 0 ) );
	return array(
		'site_id'  => $call['site'],
		'theme'    => given( $body, 'theme' ),
		'menu'     => present_menu( $menu ) + array( 'items' => count( $items ) ),
		'items'    => $items,
		'invalid'  => $tree->invalid,
		'warnings' => $warnings,
		'rebaked'  => rebake_of_menus(),
	);
}

function rename_menu( $call ) {
	$body = menu_body( $call );
	$name = given( $body, 'name' );
	$sent = read_menu_slug( $body );
	if ( null === $name && null === $sent ) {
		throw new Failure( 'nothing_to_update', 'The body contains no field to change. Send "name", "slug" or both.' );
	}
	$stored   = null === $name ? null : read_name( $name );
	$menu     = target_menu( $call );
	$warnings = array();
	$new_name = $menu->name;
	if ( null !== $stored && $stored !== $menu->name && (string) $name !== readable_name( $menu->name ) ) {
		$new_name = unique_name( $stored, $menu->term_id );
		$warnings = $new_name === $stored ? array() : array( 'name_changed' );
	}
	$new_slug = $menu->slug;
	if ( null !== $sent && $sent !== $menu->slug ) {
		$base     = sanitize_title( $sent );
		$base     = '' === $base ? sanitize_title( $new_name ) : $base;
		$new_slug = unique_slug( $base, $menu->term_id );
		$warnings = $new_slug === $sent ? $warnings : array_merge( $warnings, array( 'slug_changed' ) );
	}
	store_names( $menu->term_id, $new_name, $new_slug );
	$menu = get_term( $menu->term_id, 'nav_menu' );
	return array(
		'site_id'  => $call['site'],
		'menu'     => array(
			'id'               => $menu->term_id,
			'term_taxonomy_id' => $menu->term_taxonomy_id,
			'name'             => readable_name( $menu->name ),
			'slug'             => $menu->slug,
			'count'            => $menu->count,
		),
		'warnings' => $warnings,
	);
}

function delete_menu( $call ) {
	global $wpdb;
	$menu  = target_menu( $call );
	$items = items_of( $menu );
	$freed = array();
	foreach ( $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE 'theme\\_mods\\_%' ORDER BY option_name" ) as $option ) {
		$theme = substr( $option, strlen( 'theme_mods_' ) );
		$mods  = get_option( $option );
		foreach ( locations_of( $theme ) as $location => $id ) {
			if ( $id !== $menu->term_id ) {
				continue;
			}
			$freed[] = array( 'theme' => $theme, 'location' => (string) $location, 'lang' => null );
			// As wp_delete_nav_menu does for the active theme.
			$mods['nav_menu_locations'][ $location ] = 0;
			update_option( $option, $mods );
		}
	}
	wp_delete_nav_menu( $menu->term_id );
	return array(
		'site_id'         => $call['site'],
		'deleted'         => present_menu( $menu ),
		'removed_items'   => count( $items ),
		'freed_locations' => $freed,
		'rebaked'         => rebake_of_menus(),
	);
}

function assign_location( $call ) {
	$body     = menu_body( $call );
	$location = given( $body, 'location' );
	if ( null === $location ) {
		throw new Failure( 'location_required', 'Name the location in "location". A menu cannot be removed from a location; assign another menu instead.' );
	}
	assert_location( $location );
	assert_no_language( $body );
	$theme = theme_of( $body );
	$menu  = target_menu( $call );
	assign_menu( $menu->term_id, $location, $theme );
	return array(
		'site_id'  => $call['site'],
		'theme'    => $theme,
		'location' => $location,
		'lang'     => null,
		'menu'     => present_menu( $menu ),
		'assigned' => assigned( $menu, $theme ),
		'warnings' => array(),
		'rebaked'  => rebake_of_menus(),
	);
}

function replace_items( $call ) {
	$body = menu_body( $call );
	$tree = read_tree( given( $body, 'items' ) );
	$menu = target_menu( $call );
	$tree->assert_complete( flag( $body, 'allow_invalid', false ) );
	foreach ( items_of( $menu ) as $item ) {
		wp_delete_post( $item->id, true );
	}
	$items = present_written( $tree, insert_items( $call, $menu, $tree, 0, 0 ) );
	return array(
		'site_id'       => $call['site'],
		'menu'          => present_menu( $menu ),
		'total'         => count( $items ),
		'invalid'       => $tree->invalid,
		'items'         => $items,
		'read_items_at' => read_items_at( $call ),
		'rebaked'       => rebake_of_menus(),
	);
}
