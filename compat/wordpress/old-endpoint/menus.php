<?php
/** Menus and their items as responses show them. */

namespace Old_Endpoint;

const LOCATIONS = array( 'header', 'footer_1', 'footer_2', 'footer_3' );

/** A menu's name for callers: decoded if the decoded form is stored as the same name. */
function readable_name( $stored ) {
	$plain = html_entity_decode( $stored, ENT_QUOTES | ENT_HTML5, 'UTF-8' );
	return stored_name( $plain ) === $stored ? $plain : $stored;
}

/** The form in which WordPress stores a menu's name. */
function stored_name( $name ) {
	return wp_unslash( sanitize_term_field( 'name', wp_slash( $name ), 0, 'nav_menu', 'db' ) );
}

function present_menu( $menu ) {
	return array(
		'id'   => $menu->term_id,
		'name' => readable_name( $menu->name ),
		'slug' => $menu->slug,
	);
}

function menu_of_item( $menu ) {
	return array(
		'id'   => $menu->term_id,
		'name' => readable_name( $menu->name ),
	);
}

/** The map of locations of a theme, of the active one by default. */
function locations_of( $theme ) {
	$mods = get_option( "theme_mods_$theme", array() );
	$map  = is_array( $mods ) && is_array( $mods['nav_menu_locations'] ?? null ) ? $mods['nav_menu_locations'] : array();
	return array_map( 'intval', $map );
}

function theme_of( $fields ) {
	$theme = given( $fields, 'theme' ) ?? get_option( 'stylesheet' );
	if ( ! is_string( $theme ) || strlen( $theme ) > 180 ) {
		throw invalid_param( 'theme', 'must be a folder name of at most 180 characters' );
	}
	return trim( $theme );
}

function assigned( $menu, $theme ) {
	$found = array();
	foreach ( locations_of( $theme ) as $location => $id ) {
		if ( $id === $menu->term_id ) {
			$found[] = array( 'location' => (string) $location, 'lang' => null );
		}
	}
	return $found;
}

function read_items_at( $call ) {
	return "/site/{$call['site']}/data/menu.<location>";
}

function list_menus( $call ) {
	$theme = theme_of( $call['query'] );
	$menus = array();
	foreach ( wp_get_nav_menus() as $menu ) {
		$menus[] = present_menu( $menu ) + array(
			'items'    => $menu->count,
			'assigned' => assigned( $menu, $theme ),
		);
	}
	return array(
		'site_id'       => $call['site'],
		'theme'         => $theme,
		'locations'     => LOCATIONS,
		'default_lang'  => null,
		'read_items_at' => read_items_at( $call ),
		'total'         => count( $menus ),
		'menus'         => $menus,
	);
}

/** The menu that the path names: `~location`, or an id, a slug or a name. */
function target_menu( $call ) {
	$ref   = part( $call, 'ref' );
	$scope = array_filter( $call['query'] ) + ( is_array( $call['body'] ) ? $call['body'] : array() );
	if ( in_array( substr( $ref, 0, 1 ), array( '~', '@' ), true ) ) {
		assert_no_language( $scope );
		$location = substr( $ref, 1 );
		$theme    = theme_of( $scope );
		$menu     = get_term( locations_of( $theme )[ $location ] ?? 0, 'nav_menu' );
		if ( $menu instanceof \WP_Term ) {
			return $menu;
		}
		throw new Failure( 'menu_not_assigned', "No menu is assigned to the location \"$location\" of the theme \"$theme\"." );
	}
	if ( ctype_digit( $ref ) ) {
		$menu = get_term( (int) $ref, 'nav_menu' );
		if ( $menu instanceof \WP_Term ) {
			return $menu;
		}
	}
	$menus = wp_get_nav_menus( array( 'orderby' => 'term_id' ) );
	$slug  = preg_match( '/%[0-9a-f]{2}/', $ref ) ? $ref : strtolower( rawurlencode( $ref ) );
	$tests = array(
		function ( $menu ) use ( $ref, $slug ) {
			return $menu->slug === $ref || $menu->slug === $slug;
		},
		function ( $menu ) use ( $ref ) {
			return stored_name( $ref ) === $menu->name;
		},
	);
	foreach ( $tests as $matches ) {
		$found = array_values( array_filter( $menus, $matches ) );
		if ( count( $found ) > 1 ) {
			throw new Failure( 'ambiguous_menu', count( $found ) . " menus match \"$ref\". Name one by its id or its slug.", array( 'candidates' => array_map( __NAMESPACE__ . '\present_menu', $found ) ) );
		}
		if ( $found ) {
			return $found[0];
		}
	}
	throw new Failure( 'menu_not_found', "This site has no menu \"$ref\". Name it by its id, slug or name, or by a location, as in ~header." );
}

/** All items of a menu in their order, also those that visitors do not see; set up as for visitors. */
function items_of( $menu ) {
	wp_set_current_user( 0 );
	$posts = array();
	foreach ( get_objects_in_term( $menu->term_id, 'nav_menu' ) as $id ) {
		$post = get_post( $id );
		if ( $post && 'nav_menu_item' === $post->post_type ) {
			$posts[] = $post;
		}
	}
	usort(
		$posts,
		function ( $a, $b ) {
			return array( $a->menu_order, $a->ID ) <=> array( $b->menu_order, $b->ID );
		}
	);
	return array_map(
		function ( $post ) {
			return set_up( $post->ID );
		},
		$posts
	);
}

/** An item with the object it links. */
function set_up( $id ) {
	$item = wp_setup_nav_menu_item( clone get_post( $id ) );
	return (object) array(
		'id'        => $item->ID,
		'parent'    => (int) $item->menu_item_parent,
		'order'     => $item->menu_order,
		'status'    => $item->post_status,
		'type'      => in_array( $item->type, array( 'post_type', 'taxonomy', 'post_type_archive' ), true ) ? $item->type : 'custom',
		'object'    => $item->object,
		'object_id' => (int) $item->object_id,
		'title'     => $item->title,
		'own_title' => $item->post_title,
		'url'       => (string) $item->url,
		'target'    => $item->target,
		'classes'   => implode( ' ', $item->classes ),
		'valid'     => empty( $item->_invalid ),
	);
}

function page_of_item( $item ) {
	return 'post_type' === $item->type && 'page' === $item->object ? $item->object_id : null;
}

function present_item( $item ) {
	return array(
		'id'     => $item->id,
		'title'  => $item->title,
		'type'   => $item->type,
		'page'   => page_of_item( $item ),
		'url'    => $item->url,
		'parent' => $item->parent,
		'order'  => $item->order,
		'valid'  => $item->valid,
	);
}

/** The items that visitors see, as a tree of rows: items of which the parent is missing are at the end of the top level, without children. */
function menu_rows( $menu ) {
	$visible = array_filter(
		$menu->count > 0 ? items_of( $menu ) : array(),
		function ( $item ) {
			return 'publish' === $item->status && $item->valid;
		}
	);
	$parents = array();
	foreach ( $visible as $item ) {
		$parents[] = $item->parent === $item->id ? 0 : $item->parent;
	}
	$top    = in_array( 0, $parents, true ) ? 0 : ( $parents[0] ?? 0 );
	$levels = array();
	foreach ( $visible as $item ) {
		$levels[ $item->parent === $item->id ? 0 : $item->parent ][] = $item;
	}
	$grow = function ( $parent ) use ( &$grow, &$levels ) {
		$level = $levels[ $parent ] ?? array();
		unset( $levels[ $parent ] );
		return array_map(
			function ( $item ) use ( &$grow ) {
				return menu_row( $item, $grow( $item->id ) );
			},
			$level
		);
	};
	$rows = $grow( $top );
	foreach ( $levels as $level ) {
		foreach ( $level as $item ) {
			$rows[] = menu_row( $item, array() );
		}
	}
	return array( count( $visible ), $rows );
}

function menu_row( $item, $children ) {
	return array(
		'id'       => $item->id,
		'title'    => $item->title,
		'url'      => $item->url,
		'type'     => $item->type,
		'page'     => page_of_item( $item ),
		'target'   => $item->target,
		'classes'  => $item->classes,
		'children' => $children,
	);
}
