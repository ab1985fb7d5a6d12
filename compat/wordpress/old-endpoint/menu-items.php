<?php
/** Writes of single items, and of the order of a level. */

namespace Old_Endpoint;

/** The items of a menu by their parents: an item with a parent that is not in the menu is at the top level. */
final class Levels {
	public $items = array();
	private $levels = array();

	public function __construct( $menu ) {
		foreach ( items_of( $menu ) as $item ) {
			$this->items[ $item->id ] = $item;
		}
		foreach ( $this->items as $item ) {
			$this->levels[ isset( $this->items[ $item->parent ] ) && $item->parent !== $item->id ? $item->parent : 0 ][] = $item->id;
		}
	}

	public function level( $parent ) {
		return $this->levels[ $parent ] ?? array();
	}

	/** The ids of an item and its descendants in order; of all items for 0. */
	public function branch( $id ) {
		$found = 0 === $id ? array() : array( $id );
		foreach ( $this->level( $id ) as $child ) {
			$found = array_merge( $found, $this->branch( $child ) );
		}
		return $found;
	}

	public function item( $id ) {
		if ( isset( $this->items[ $id ] ) ) {
			return $this->items[ $id ];
		}
		throw new Failure( 'item_not_found', "This menu has no item $id.", array( 'id' => $id ) );
	}

	public function set_level( $parent, $ids ) {
		$this->levels[ $parent ] = $ids;
	}

	public function move_to_end( $id, $parent ) {
		foreach ( $this->levels as $level => $ids ) {
			$this->levels[ $level ] = array_values( array_diff( $ids, array( $id ) ) );
		}
		$this->levels[ $parent ][] = $id;
	}

	/** Stores the positions, from 1. */
	public function save_order() {
		global $wpdb;
		foreach ( $this->branch( 0 ) as $index => $id ) {
			if ( (int) get_post( $id )->menu_order !== $index + 1 ) {
				$wpdb->update( $wpdb->posts, array( 'menu_order' => $index + 1 ), array( 'ID' => $id ) );
				clean_post_cache( $id );
			}
		}
	}
}

function item_id( $call ) {
	$id = part( $call, 'id' );
	if ( preg_match( '/^[1-9]\d{0,14}$/D', $id ) ) {
		return (int) $id;
	}
	throw new Failure( 'item_not_found', "This menu has no item \"$id\". Item ids are numbers." );
}

/** The id of a parent item in a field; null if it is not sent. */
function read_parent( $fields, $name = 'parent' ) {
	$value = given( $fields, $name );
	if ( is_string( $value ) && preg_match( '/^\d{1,15}$/D', $value ) ) {
		$value = (int) $value;
	}
	if ( null !== $value && ( ! is_int( $value ) || $value < 0 ) ) {
		throw invalid_param( $name, 'must be the id of an item' );
	}
	return $value;
}

function add_item( $call ) {
	$body = menu_body( $call );
	$sent = $body['item'] ?? ( is_array( $call['body'] ) ? $body : $call['body'] );
	$tree = new Tree( array( is_array( $sent ) ? array_diff_key( $sent, array( 'item' => true ) ) : $sent ) );
	$parent = read_parent( $body ) ?? ( is_array( $sent ) ? read_parent( $sent ) : null ) ?? 0;
	$menu   = target_menu( $call );
	$tree->assert_single();
	$levels = new Levels( $menu );
	if ( 0 !== $parent ) {
		$levels->item( $parent );
	}
	// The items behind the new ones move first: their positions are read again below.
	$ids    = insert_items( $call, $menu, $tree, $parent, count( $levels->items ) );
	$levels = new Levels( $menu );
	$levels->move_to_end( $ids[0], $parent );
	$levels->save_order();
	return array(
		'site_id' => $call['site'],
		'menu'    => menu_of_item( $menu ),
		'item'    => present_item( set_up( $ids[0] ) ),
		'total'   => count( $levels->branch( 0 ) ),
		'rebaked' => rebake_of_menus(),
	);
}

function update_item( $call ) {
	$body   = menu_body( $call );
	$fields = array_intersect_key( $body, array_flip( array( 'title', 'page', 'url', 'target', 'classes', 'parent' ) ) );
	foreach ( array( 'page', 'url', 'parent' ) as $name ) {
		if ( array_key_exists( $name, $fields ) && null === $fields[ $name ] ) {
			unset( $fields[ $name ] );
		}
	}
	foreach ( array( 'title', 'target', 'classes' ) as $name ) {
		if ( isset( $fields[ $name ] ) && ! is_string( $fields[ $name ] ) && ! is_int( $fields[ $name ] ) ) {
			throw invalid_param( $name, 'must be a text' );
		}
	}
	if ( ! $fields ) {
		throw new Failure( 'nothing_to_update', 'The body contains no field to change. Send title, page, url, target, classes or parent.' );
	}
	$parent = read_parent( $fields );
	$menu   = target_menu( $call );
	$levels = new Levels( $menu );
	$id     = item_id( $call );
	$before = $levels->item( $id );
	$args   = changed_args( $before, $fields );
	if ( null !== $parent && $parent !== $before->parent ) {
		if ( 0 !== $parent ) {
			$levels->item( $parent );
		}
		if ( in_array( $parent, $levels->branch( $id ), true ) ) {
			throw new Failure( 'bad_parent', 'An item cannot be a child of itself or of its own branch. Name another parent.' );
		}
		$args['menu-item-parent-id'] = $parent;
		$levels->move_to_end( $id, $parent );
	}
	wp_set_current_user( $call['user']->ID );
	wp_update_nav_menu_item( $menu->term_id, $id, wp_slash( $args ) );
	$levels->save_order();
	wp_set_current_user( 0 );
	return array(
		'site_id'  => $call['site'],
		'menu'     => menu_of_item( $menu ),
		'item'     => present_changes( $before, set_up( $id ) ),
		'warnings' => isset( $fields['page'], $fields['url'] ) && '' !== $fields['url'] && '' !== $fields['page'] ? array( 'url_ignored' ) : array(),
		'rebaked'  => rebake_of_menus(),
	);
}

/** The arguments of `wp_update_nav_menu_item`: those of the item, with the sent fields. */
function changed_args( $item, $fields ) {
	$post = get_post( $item->id );
	$args = array(
		'menu-item-object-id'   => $item->object_id,
		'menu-item-object'      => $item->object,
		'menu-item-parent-id'   => $item->parent,
		'menu-item-position'    => $item->order,
		'menu-item-type'        => $item->type,
		'menu-item-title'       => $item->own_title,
		'menu-item-url'         => 'custom' === $item->type ? $item->url : '',
		'menu-item-description' => trim( $post->post_content ),
		'menu-item-attr-title'  => $post->post_excerpt,
		'menu-item-target'      => $item->target,
		'menu-item-classes'     => $item->classes,
		'menu-item-xfn'         => (string) get_post_meta( $item->id, '_menu_item_xfn', true ),
		'menu-item-status'      => $item->status,
	);
	if ( isset( $fields['page'] ) || isset( $fields['url'] ) ) {
		$tree = new Tree( array( array_intersect_key( $fields, array( 'page' => true, 'url' => true ) ) ) );
		$tree->assert_single();
		$linked = array_intersect_key( $tree->items[0]['args'], array_flip( array( 'menu-item-object-id', 'menu-item-object', 'menu-item-type', 'menu-item-url' ) ) );
		// The label stays, unless it is the address of a link.
		$own                     = 'custom' === $item->type && link_url( $item->own_title ) === $item->url ? '' : $item->own_title;
		$args                    = $linked + $args;
		$args['menu-item-title'] = 'custom' !== $linked['menu-item-type'] || '' !== $own ? $own : ( 'custom' === $item->type ? $tree->items[0]['args']['menu-item-title'] : $item->title );
	}
	foreach ( array( 'title', 'target', 'classes' ) as $name ) {
		if ( array_key_exists( $name, $fields ) ) {
			$args[ "menu-item-$name" ] = (string) $fields[ $name ];
		}
	}
	if ( 'custom' === $args['menu-item-type'] && '' === trim( $args['menu-item-title'] ) ) {
		$args['menu-item-title'] = $args['menu-item-url'];
	}
	return $args;
}

/** The current value of each field; `{from, to}` for a changed one. */
function present_changes( $before, $after ) {
	$fields = function ( $item ) {
		return present_item( $item ) + array( 'target' => $item->target, 'classes' => $item->classes );
	};
	$from   = $fields( $before );
	$answer = array();
	foreach ( $fields( $after ) as $name => $to ) {
		$answer[ $name ] = $from[ $name ] === $to ? $to : array( 'from' => $from[ $name ], 'to' => $to );
	}
	return $answer;
}

function remove_item( $call ) {
	$menu   = target_menu( $call );
	$id     = item_id( $call );
	$levels = new Levels( $menu );
	$levels->item( $id );
	$removed = $levels->branch( $id );
	foreach ( $removed as $item ) {
		wp_delete_post( $item, true );
	}
	$levels = new Levels( $menu );
	$levels->save_order();
	return array(
		'site_id' => $call['site'],
		'menu'    => menu_of_item( $menu ),
		'removed' => $removed,
		'total'   => count( $levels->items ),
		'rebaked' => rebake_of_menus(),
	);
}

function bad_reorder( $at, $reason ) {
	return new Failure( 'bad_reorder', 'Send the ids of the items of one level in "order", and the id of their parent item, or 0, in "parent".', array( 'errors' => array( array( 'at' => $at, 'reason' => $reason ) ) ) );
}

function reorder_items( $call ) {
	$body = menu_body( $call );
	$sent = $body['order'] ?? null;
	if ( ! is_array( $sent ) || ! $sent || ! array_is_list( $sent ) ) {
		$types = array( 'NULL' => 'undefined', 'integer' => 'number', 'double' => 'number', 'array' => 'object' );
		$type  = gettype( $sent );
		throw bad_reorder( 'order', 'Invalid input: expected array, received ' . ( $types[ $type ] ?? $type ) );
	}
	try {
		$parent = read_parent( $body ) ?? 0;
		$order  = array();
		foreach ( $sent as $value ) {
			$order[] = read_parent( array( 'order' => $value ), 'order' );
		}
	} catch ( Failure $failure ) {
		throw bad_reorder( implode( array_keys( $failure->fields['params'] ) ), $failure->getMessage() );
	}
	$menu   = target_menu( $call );
	$levels = new Levels( $menu );
	if ( 0 !== $parent ) {
		$levels->item( $parent );
	}
	foreach ( $order as $id ) {
		$levels->item( $id );
	}
	$level   = $levels->level( $parent );
	$foreign = array_values( array_diff( $order, $level ) );
	if ( $foreign || count( array_unique( $order ) ) < count( $order ) ) {
		throw new Failure( 'bad_reorder', 'The list "order" must have items of one level, each once.', array( 'level' => $level, 'not_in_level' => $foreign ) );
	}
	$appended = array_values( array_diff( $level, $order ) );
	$levels->set_level( $parent, array_merge( $order, $appended ) );
	$levels->save_order();
	return array(
		'site_id'  => $call['site'],
		'menu'     => menu_of_item( $menu ),
		'parent'   => $parent,
		'order'    => array_merge( $order, $appended ),
		'appended' => $appended,
		'rebaked'  => rebake_of_menus(),
	);
}
