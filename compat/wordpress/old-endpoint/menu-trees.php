<?php
/** Trees of items that a request sends. */

namespace Old_Endpoint;

const MAX_ITEMS  = 10000;
const MAX_LEVELS = 100;

/** Problems of a sent tree: `bad` forms, `unresolved` pages, `invalid` pages that are not published. */
final class Tree {
	/** Parents before their children: `at`, `parent` (index, or -1), and the arguments of `wp_update_nav_menu_item`. */
	public $items = array();
	public $bad = array();
	public $unresolved = array();
	public $invalid = array();

	public function __construct( $sent ) {
		foreach ( $sent as $index => $value ) {
			$this->add( $value, (string) $index, -1, 1, false );
		}
	}

	private function add( $value, $at, $parent, $level, $is_left_out ) {
		if ( count( $this->items ) >= MAX_ITEMS || $level > MAX_LEVELS ) {
			$this->bad[] = array( 'at' => $at, 'reason' => $level > MAX_LEVELS ? 'too_deep' : 'too_many_items', 'message' => 'A menu may have at most ' . MAX_ITEMS . ' items on ' . MAX_LEVELS . ' levels.' );
			return;
		}
		$fields   = is_page_ref( $value ) ? array( 'page' => $value ) : $value;
		$children = is_array( $fields ) ? $fields['children'] ?? array() : array();
		if ( ! is_array( $fields ) || ( array() !== $fields && array_is_list( $fields ) ) ) {
			$this->bad[] = array( 'at' => $at, 'reason' => 'not_an_item', 'message' => 'An item must be an object, or the id, slug or path of a page.' );
			return;
		}
		$link = $this->link( $fields, $at );
		$page = $link['page'] ?? null;
		if ( $page && 'publish' !== $page->post_status ) {
			$this->invalid[] = array( 'at' => $at, 'reason' => 'page_not_published', 'message' => "The page $page->ID is not published, so visitors would not see the item.", 'page' => $page->ID, 'status' => $page->post_status );
			$is_left_out     = true;
		} elseif ( $is_left_out ) {
			$this->invalid[] = array( 'at' => $at, 'reason' => 'parent_left_out', 'message' => 'The item is below an item that is left out.', 'page' => $page ? $page->ID : null );
		}
		if ( $link && ! $is_left_out ) {
			$this->items[] = array( 'at' => $at, 'parent' => $parent, 'args' => item_args( $fields, $link ) );
			$parent        = count( $this->items ) - 1;
		}
		if ( ! is_array( $children ) || ! array_is_list( $children ) ) {
			$this->bad[] = array( 'at' => $at, 'reason' => 'bad_children', 'message' => '"children" must be a list of items.' );
			return;
		}
		foreach ( $children as $index => $child ) {
			$this->add( $child, "$at.$index", $parent, $level + 1, $is_left_out );
		}
	}

	/** `page` or `url`; null if there is a problem. `page` takes precedence. */
	private function link( $fields, $at ) {
		foreach ( array( 'title', 'target', 'classes' ) as $name ) {
			if ( isset( $fields[ $name ] ) && ! is_string( $fields[ $name ] ) && ! is_int( $fields[ $name ] ) && ! is_float( $fields[ $name ] ) ) {
				$this->bad[] = array( 'at' => $at, 'reason' => "bad_$name", 'message' => "\"$name\" must be a text." );
			}
		}
		$page = given( $fields, 'page' );
		$url  = given( $fields, 'url' );
		if ( null !== $page ) {
			if ( ! is_page_ref( $page ) ) {
				$this->bad[] = array( 'at' => $at, 'reason' => 'bad_page', 'message' => '"page" must be the id, slug or path of a page.' );
				return null;
			}
			$pages = find_pages( $page );
			if ( 1 === count( $pages ) ) {
				return array( 'page' => $pages[0] );
			}
			$this->unresolved[] = $pages
				? array( 'at' => $at, 'reason' => 'ambiguous_page', 'message' => ambiguous_message( $page, $pages ), 'page' => $page, 'candidates' => candidates( $pages ) )
				: array( 'at' => $at, 'reason' => 'page_not_found', 'message' => "This site has no page \"$page\".", 'page' => $page );
			return null;
		}
		$address = null === $url ? '' : link_url( (string) $url );
		if ( '' === $address ) {
			$this->bad[] = array( 'at' => $at, 'reason' => 'target_required', 'message' => 'An item needs a page ("page") or an address ("url").' );
			return null;
		}
		return array( 'url' => $address, 'sent' => (string) $url );
	}

	/** Refuses a tree that cannot be written completely. */
	public function assert_complete( $allow_invalid ) {
		$fields = array( 'errors' => array_merge( $this->bad, $this->unresolved ) ) + ( $allow_invalid || ! $this->invalid ? array() : array( 'invalid' => $this->invalid ) );
		if ( $this->bad ) {
			throw new Failure( 'bad_items', 'Some items are malformed, so nothing was written. "errors" lists each item and its problem.', $fields );
		}
		if ( $this->unresolved ) {
			throw new Failure( 'menu_items_unresolved', 'Some items name a page that does not exist or is ambiguous, so nothing was written. "errors" lists these items.', $fields );
		}
		if ( $this->invalid && ! $allow_invalid ) {
			throw new Failure( 'menu_items_invalid', 'Some items link a page that is not published, so nothing was written. Publish the page, or send allow_invalid to leave these items out.', array( 'invalid' => $this->invalid ) );
		}
	}

	/** The same for one item; problems of its own link have codes of their own. */
	public function assert_single() {
		foreach ( $this->bad as $problem ) {
			if ( '0' === $problem['at'] && in_array( $problem['reason'], array( 'not_an_item', 'target_required', 'bad_page', 'bad_url' ), true ) ) {
				throw new Failure( 'item_target_required', $problem['message'] );
			}
		}
		foreach ( $this->unresolved as $problem ) {
			if ( '0' === $problem['at'] && ! $this->bad ) {
				throw new Failure( $problem['reason'], $problem['message'], array_intersect_key( $problem, array( 'page' => true, 'candidates' => true ) ) );
			}
		}
		$this->assert_complete( false );
	}
}

function is_page_ref( $value ) {
	return is_int( $value ) ? $value > 0 : is_string( $value ) && '' !== trim( $value );
}

/** The URL to store: a path is completed with the address of the site. '' if WordPress refuses it. */
function link_url( $text ) {
	$address = trim( $text );
	$url     = sanitize_url( preg_match( '#^/(?!/)#', $address ) ? untrailingslashit( get_option( 'home' ) ) . $address : $address );
	return preg_match( '#^https?:/*$#', $url ) ? '' : $url;
}

/** The arguments of `wp_update_nav_menu_item`. */
function item_args( $fields, $link ) {
	$page = $link['page'] ?? null;
	return array(
		'menu-item-object-id' => $page ? $page->ID : 0,
		'menu-item-object'    => $page ? 'page' : 'custom',
		'menu-item-type'      => $page ? 'post_type' : 'custom',
		'menu-item-title'     => (string) ( $fields['title'] ?? $link['sent'] ?? '' ),
		'menu-item-url'       => $link['url'] ?? '',
		'menu-item-target'    => (string) ( $fields['target'] ?? '' ),
		'menu-item-classes'   => (string) ( $fields['classes'] ?? '' ),
		'menu-item-status'    => 'publish',
	);
}

/** Inserts the items of a tree and returns their ids. `$after` is the position of the item before the first one. */
function insert_items( $call, $menu, $tree, $under, $after ) {
	wp_set_current_user( $call['user']->ID );
	$ids = array();
	foreach ( $tree->items as $index => $item ) {
		$args = $item['args'];
		if ( 'custom' === $args['menu-item-type'] && '' === trim( $args['menu-item-title'] ) ) {
			$args['menu-item-title'] = $args['menu-item-url'];
		}
		$args += array(
			'menu-item-parent-id' => $item['parent'] < 0 ? $under : $ids[ $item['parent'] ],
			'menu-item-position'  => $after + $index + 1,
		);
		// A draft in no menu first, as the menu screen does it.
		$id = wp_update_nav_menu_item( 0, 0, wp_slash( array( 'menu-item-status' => 'draft' ) + $args ) );
		$id = is_wp_error( $id ) ? $id : wp_update_nav_menu_item( $menu->term_id, $id, wp_slash( $args ) );
		if ( is_wp_error( $id ) ) {
			throw new Failure( 'bad_items', $id->get_error_message(), array( 'errors' => array( array( 'at' => $item['at'], 'reason' => $id->get_error_code() ) ) ) );
		}
		$ids[] = $id;
	}
	wp_set_current_user( 0 );
	return $ids;
}

/** The inserted items with their positions in the sent tree. */
function present_written( $tree, $ids ) {
	$items = array();
	foreach ( $ids as $index => $id ) {
		$items[] = present_item( set_up( $id ) ) + array( 'at' => $tree->items[ $index ]['at'] );
	}
	return $items;
}

function read_tree( $value ) {
	if ( ! is_array( $value ) || ! array_is_list( $value ) ) {
		throw new Failure( 'bad_items', 'Send the items of the menu as a list in "items".', array( 'errors' => array( array( 'at' => '', 'reason' => 'not_a_list', 'message' => '"items" must be a list of items.' ) ) ) );
	}
	return new Tree( $value );
}
