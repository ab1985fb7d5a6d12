<?php
/** Calls functions of WordPress in order: `[["get_option", ["blogname"]], …]`. */
function compat_calls( $calls ) {
	return array_map(
		function ( $call ) {
			return compat_plain( call_user_func_array( $call[0], $call[1] ) );
		},
		$calls
	);
}

/** A menu with its items as a theme receives them; null if there is none. */
function compat_menu( $id ) {
	$menu = wp_get_nav_menu_object( $id );
	if ( ! $menu ) {
		return null;
	}
	return array(
		'id'    => $menu->term_id,
		'name'  => $menu->name,
		'slug'  => $menu->slug,
		'count' => $menu->count,
		'items' => array_map( 'compat_item', wp_get_nav_menu_items( $menu ) ),
	);
}

function compat_item( $item ) {
	return array(
		'id'        => $item->ID,
		'title'     => $item->title,
		'url'       => $item->url,
		'type'      => $item->type,
		'object'    => $item->object,
		'object_id' => (int) $item->object_id,
		'parent'    => (int) $item->menu_item_parent,
		'order'     => $item->menu_order,
		'target'    => $item->target,
		'classes'   => array_values( array_filter( $item->classes ) ),
		'xfn'       => $item->xfn,
	);
}

/** The menu at a location as a theme prints it, on a page or on no page. */
function compat_render( $args ) {
	$page = $args['page'] ?? null;
	if ( null !== $page ) {
		// WordPress marks links as current by the address of the request.
		$_SERVER['REQUEST_URI'] = wp_parse_url( get_permalink( $page ), PHP_URL_PATH );
		wp( array( 'page_id' => $page ) );
	}
	return wp_nav_menu(
		array(
			'theme_location' => $args['location'],
			'fallback_cb'    => false,
			'echo'           => false,
		)
	);
}

/** The capabilities of a user on the site. */
function compat_may( $logins ) {
	return array_map(
		function ( $login ) {
			$user = get_user_by( 'login', $login );
			return array(
				'login'              => $login,
				'manage_options'     => $user->has_cap( 'manage_options' ),
				'edit_theme_options' => $user->has_cap( 'edit_theme_options' ),
				'super_admin'        => is_super_admin( $user->ID ),
				'administrator'      => in_array( 'administrator', $user->roles, true ),
			);
		},
		$logins
	);
}

/** The stored posts and terms, read with clean caches. */
function compat_cleaned( $args ) {
	$posts = array_map(
		function ( $id ) {
			clean_post_cache( $id );
			$post = get_post( $id );
			return $post ? array( 'post' => $post->to_array(), 'meta' => get_post_meta( $id ) ) : null;
		},
		$args['posts'] ?? array()
	);
	$terms = array_map(
		function ( $id ) {
			clean_term_cache( $id, 'nav_menu' );
			$term = get_term( $id, 'nav_menu' );
			return $term instanceof WP_Term ? $term->to_array() : null;
		},
		$args['terms'] ?? array()
	);
	return compact( 'posts', 'terms' );
}

/**
 * Everything that WordPress may cache of what the API writes: menus and what a theme prints of them, options, and pages by their meta.
 * Some of the ids do not exist yet.
 */
function compat_state( $args ) {
	$menus = wp_get_nav_menus();
	return array(
		'menus'     => array_map( 'compat_menu', wp_list_pluck( $menus, 'term_id' ) ),
		'locations' => get_nav_menu_locations(),
		'printed'   => compat_render( array( 'location' => 'header' ) ),
		'options'   => array_map( 'get_option', $args['options'] ),
		'posts'     => array_map( 'get_post', $args['ids'] ),
		'metas'     => array_map( 'get_post_meta', $args['ids'] ),
		'in_menus'  => array_map(
			function ( $id ) {
				return is_object_in_term( $id, 'nav_menu' );
			},
			$args['ids']
		),
		'termmetas' => array_map( 'get_term_meta', $args['terms'] ),
		// In 7.1 the keys depend on whether the values were cached.
		'parents'   => array_values(
			get_posts(
				array(
					'post_type'        => 'nav_menu_item',
					'posts_per_page'   => -1,
					'orderby'          => 'ID',
					'fields'           => 'id=>parent',
					'suppress_filters' => false,
				)
			)
		),
		'bound'     => get_posts(
			array(
				'post_type'        => 'page',
				'meta_key'         => '_svc_frame',
				'fields'           => 'ids',
				'suppress_filters' => false,
			)
		),
	);
}
