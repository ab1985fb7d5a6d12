<?php
/** A menu at a location, as a tree. */
function same_work_read_menu( $request ) {
	$location  = $request['location'];
	$locations = get_nav_menu_locations();
	$menu      = wp_get_nav_menu_object( $locations[ $location ] ?? 0 );
	$items     = $menu ? wp_get_nav_menu_items( $menu ) : array();
	$below     = array();
	foreach ( $items as $item ) {
		$below[ (int) $item->menu_item_parent ][] = $item;
	}
	return array(
		'success' => true,
		'site_id' => get_current_blog_id(),
		'source'  => "menu.$location",
		'lang'    => null,
		'menu'    => $menu ? array(
			'id'   => $menu->term_id,
			'name' => same_work_text( $menu->name ),
			'slug' => $menu->slug,
		) : null,
		'total'   => count( $items ),
		'items'   => same_work_branch( $below, 0 ),
	);
}

function same_work_branch( $below, $parent ) {
	$branch = array();
	foreach ( $below[ $parent ] ?? array() as $item ) {
		$branch[] = array(
			'id'       => $item->ID,
			'title'    => same_work_text( $item->title ),
			'url'      => $item->url,
			'type'     => $item->type,
			'page'     => 'post_type' === $item->type && 'page' === $item->object ? (int) $item->object_id : null,
			'target'   => $item->target,
			'classes'  => implode( ' ', array_filter( $item->classes ) ),
			'children' => same_work_branch( $below, $item->ID ),
		);
	}
	return $branch;
}

function same_work_list_menus() {
	$locations = get_nav_menu_locations();
	$blog      = get_current_blog_id();
	$menus     = array();
	foreach ( wp_get_nav_menus() as $menu ) {
		$assigned = array();
		foreach ( array_keys( $locations, $menu->term_id, true ) as $location ) {
			$assigned[] = array(
				'location' => $location,
				'lang'     => null,
			);
		}
		$menus[] = array(
			'id'       => $menu->term_id,
			'name'     => same_work_text( $menu->name ),
			'slug'     => $menu->slug,
			'items'    => $menu->count,
			'assigned' => $assigned,
		);
	}
	return array(
		'success'       => true,
		'site_id'       => $blog,
		'theme'         => get_stylesheet(),
		'locations'     => array_keys( get_registered_nav_menus() ),
		'default_lang'  => null,
		'read_items_at' => "/site/$blog/data/menu.<location>",
		'total'         => count( $menus ),
		'menus'         => $menus,
	);
}

/** Replaces the whole tree: deletes all items, then creates the new ones. Terms are counted once, at the end. */
function same_work_replace_items( $request ) {
	$menu = wp_get_nav_menu_object( (int) $request['id'] );
	wp_defer_term_counting( true );
	foreach ( wp_get_nav_menu_items( $menu, array( 'post_status' => 'any' ) ) as $item ) {
		wp_delete_post( $item->ID, true );
	}
	$position = 0;
	$failed   = same_work_add_items( $menu->term_id, $request['items'], 0, $position );
	wp_defer_term_counting( false );
	if ( $failed ) {
		return $failed;
	}
	$items = array();
	foreach ( wp_get_nav_menu_items( $menu->term_id ) as $item ) {
		$items[] = array(
			'id'     => $item->ID,
			'title'  => same_work_text( $item->title ),
			'type'   => $item->type,
			'page'   => 'post_type' === $item->type ? (int) $item->object_id : null,
			'url'    => $item->url,
			'parent' => (int) $item->menu_item_parent,
			'order'  => $item->menu_order,
			'valid'  => empty( $item->_invalid ),
		);
	}
	return array(
		'success' => true,
		'site_id' => get_current_blog_id(),
		'menu'    => array(
			'id'   => $menu->term_id,
			'name' => same_work_text( $menu->name ),
			'slug' => $menu->slug,
		),
		'total'   => count( $items ),
		'items'   => $items,
	);
}

/** @return WP_Error|null the error */
function same_work_add_items( $menu_id, $items, $parent, &$position ) {
	foreach ( $items as $item ) {
		$page = $item['page'] ?? null;
		++$position;
		$id = wp_update_nav_menu_item(
			$menu_id,
			0,
			wp_slash(
				array(
					'menu-item-status'    => 'publish',
					'menu-item-position'  => $position,
					'menu-item-parent-id' => $parent,
					'menu-item-type'      => $page ? 'post_type' : 'custom',
					'menu-item-object'    => $page ? 'page' : 'custom',
					'menu-item-object-id' => $page ?? 0,
					'menu-item-title'     => $item['title'] ?? '',
					'menu-item-url'       => $page ? '' : home_url( $item['url'] ),
				)
			)
		);
		if ( is_wp_error( $id ) ) {
			return $id;
		}
		$failed = same_work_add_items( $menu_id, $item['children'] ?? array(), $id, $position );
		if ( $failed ) {
			return $failed;
		}
	}
	return null;
}
