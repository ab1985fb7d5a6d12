<?php
/** Pages, a family that wp-frames does not serve: its own `GET /pages` has other fields, so the two collide. */

namespace Old_Endpoint;

/** The pages that a reference names: an id first, then a full path, then a slug. */
function find_pages( $ref ) {
	$text = trim( (string) $ref );
	if ( ctype_digit( $text ) ) {
		$page = get_post( (int) $text );
		if ( $page && 'page' === $page->post_type ) {
			return array( $page );
		}
	}
	$path  = implode( '/', array_map( 'sanitize_title_for_query', array_map( 'rawurldecode', explode( '/', trim( $text, '/' ) ) ) ) );
	$slug  = basename( $path );
	$pages = '' === $slug ? array() : get_posts(
		array(
			'post_type'   => 'page',
			'post_status' => array( 'publish', 'draft', 'pending', 'private', 'future' ),
			'name'        => $slug,
			'numberposts' => -1,
			'orderby'     => 'ID',
			'order'       => 'ASC',
		)
	);
	$named = array_values(
		array_filter(
			$pages,
			function ( $page ) use ( $path ) {
				return get_page_uri( $page ) === $path;
			}
		)
	);
	if ( $named ) {
		return $named;
	}
	return $slug === $path ? $pages : array();
}

function ambiguous_message( $ref, $pages ) {
	return count( $pages ) . " pages match \"$ref\". Name one by its id or its full path.";
}

function candidates( $pages ) {
	return array_map(
		function ( $page ) {
			return array( 'id' => $page->ID, 'path' => get_page_uri( $page ), 'lang' => null, 'status' => $page->post_status );
		},
		$pages
	);
}

function the_page( $ref ) {
	$pages = find_pages( $ref );
	if ( ! $pages ) {
		throw new Failure( 'page_not_found', "This site has no page \"$ref\"." );
	}
	if ( count( $pages ) > 1 ) {
		throw new Failure( 'ambiguous_page', ambiguous_message( $ref, $pages ), array( 'candidates' => candidates( $pages ) ) );
	}
	return $pages[0];
}

function present_page( $page ) {
	return array(
		'id'             => $page->ID,
		'title'          => $page->post_title,
		'slug'           => $page->post_name,
		'status'         => $page->post_status,
		'link'           => get_permalink( $page ),
		'parent'         => $page->post_parent,
		'updated_at_gmt' => $page->post_modified_gmt,
	);
}

function list_pages( $call ) {
	$pages = get_posts(
		array(
			'post_type'   => 'page',
			'post_status' => array( 'publish', 'draft', 'pending', 'private', 'future' ),
			'numberposts' => -1,
			'orderby'     => 'ID',
			'order'       => 'ASC',
		)
	);
	return array(
		'site_id' => $call['site'],
		'count'   => count( $pages ),
		'items'   => array_map( __NAMESPACE__ . '\present_page', $pages ),
	);
}

function get_page( $call ) {
	$page = the_page( part( $call, 'id' ) );
	return array( 'site_id' => $call['site'], 'page' => present_page( $page ) + array( 'content' => $page->post_content ) );
}

function create_page( $call ) {
	return store_page( $call, 0 );
}

function update_page( $call ) {
	return store_page( $call, the_page( part( $call, 'id' ) )->ID );
}

/** Creates a page or changes it: `title`, `content`, `status`, `slug`, `parent`. */
function store_page( $call, $id ) {
	$body = object_body( $call );
	if ( 0 === $id && ( ! is_string( $body['title'] ?? null ) || '' === trim( $body['title'] ) ) ) {
		throw new Failure( 'title_required', 'A page needs a title. Send it in "title".' );
	}
	$fields = array( 'ID' => $id, 'post_type' => 'page' ) + ( 0 === $id ? array( 'post_status' => 'draft' ) : array() );
	foreach ( array( 'title' => 'post_title', 'content' => 'post_content', 'status' => 'post_status', 'slug' => 'post_name', 'parent' => 'post_parent' ) as $name => $column ) {
		if ( isset( $body[ $name ] ) ) {
			$fields[ $column ] = $body[ $name ];
		}
	}
	if ( ! in_array( $fields['post_status'] ?? 'draft', array( 'publish', 'draft', 'pending', 'private' ), true ) ) {
		throw invalid_param( 'status', 'must be publish, draft, pending or private' );
	}
	wp_set_current_user( $call['user']->ID );
	$stored = 0 === $id ? wp_insert_post( wp_slash( $fields ), true ) : wp_update_post( wp_slash( $fields ), true );
	if ( is_wp_error( $stored ) ) {
		throw invalid_param( 'page', $stored->get_error_message() );
	}
	$page = get_post( $stored );
	return array( 'site_id' => $call['site'], 'created' => 0 === $id, 'page' => present_page( $page ) + array( 'content' => $page->post_content ) );
}
