<?php
/** Creates pages from title and optional slug, parent and status; returns their ids. */
function compat_make_pages( $pages ) {
	$ids = array();
	foreach ( $pages as $page ) {
		$ids[] = wp_insert_post(
			wp_slash(
				array(
					'post_type'    => 'page',
					'post_title'   => $page['title'],
					'post_name'    => $page['slug'] ?? '',
					'post_parent'  => isset( $page['under'] ) ? $ids[ $page['under'] ] : 0,
					'post_status'  => $page['status'] ?? 'publish',
					'post_content' => $page['content'] ?? '',
				)
			),
			true
		);
	}
	return $ids;
}

/**
 * Creates a menu as the menu screen does (wp-admin/nav-menus.php and its script): the menu with its name escaped, each item as a
 * draft in no menu, then all of them saved at their positions.
 */
function compat_write_menu_on_screen( $args ) {
	require_once ABSPATH . 'wp-admin/includes/nav-menu.php';
	$menu = wp_update_nav_menu_object( 0, array( 'menu-name' => trim( esc_html( wp_slash( $args['name'] ) ) ) ) );
	if ( is_wp_error( $menu ) ) {
		return $menu;
	}
	$ids = array();
	$_POST = array();
	foreach ( $args['items'] as $index => $item ) {
		$page  = $item['page'] ?? null;
		$added = array(
			'menu-item-object-id' => $page ?? -1,
			'menu-item-object'    => $page ? 'page' : 'custom',
			'menu-item-type'      => $page ? 'post_type' : 'custom',
			'menu-item-title'     => $item['title'],
			'menu-item-url'       => $item['url'] ?? '',
		);
		list( $id ) = wp_save_nav_menu_items( 0, array( -1 => wp_slash( $added ) ) );
		$ids[]      = $id;
		$saved      = array(
			'menu-item-db-id'       => $id,
			'menu-item-object-id'   => $page ?? $id,
			'menu-item-parent-id'   => isset( $item['under'] ) ? $ids[ $item['under'] ] : 0,
			'menu-item-position'    => $index + 1,
			'menu-item-description' => '',
			'menu-item-attr-title'  => '',
			'menu-item-target'      => $item['target'] ?? '',
			'menu-item-classes'     => $item['classes'] ?? '',
			'menu-item-xfn'         => '',
		) + $added;
		foreach ( wp_slash( $saved ) as $field => $value ) {
			$_POST[ $field ][ $id ] = $value;
		}
	}
	if ( $ids ) {
		wp_nav_menu_update_menu_items( $menu, $args['name'] );
	}
	if ( isset( $args['location'] ) ) {
		set_theme_mod( 'nav_menu_locations', array( $args['location'] => $menu ) + get_nav_menu_locations() );
	}
	return array(
		'menu'  => $menu,
		'items' => $ids,
	);
}

/** Saves an item with some changed fields as the menu screen does: the other fields as its form shows them. */
function compat_save_item( $args ) {
	$item = wp_setup_nav_menu_item( get_post( $args['id'] ) );
	return wp_update_nav_menu_item(
		$args['menu'],
		$args['id'],
		wp_slash(
			$args['fields'] + array(
				'menu-item-object-id'   => $item->object_id,
				'menu-item-object'      => $item->object,
				'menu-item-parent-id'   => $item->menu_item_parent,
				'menu-item-position'    => $item->menu_order,
				'menu-item-type'        => $item->type,
				'menu-item-title'       => html_entity_decode( $item->title, ENT_QUOTES | ENT_HTML5, 'UTF-8' ),
				'menu-item-url'         => $item->url,
				'menu-item-description' => $item->description,
				'menu-item-attr-title'  => $item->attr_title,
				'menu-item-target'      => $item->target,
				'menu-item-classes'     => implode( ' ', $item->classes ),
				'menu-item-xfn'         => $item->xfn,
			)
		)
	);
}
