<?php
/** Metas of frames by id, in one statement: of all frames, or of those whose text contains one of these terms. */
function same_work_metas( $terms = array() ) {
	global $wpdb;
	$where = array();
	foreach ( $terms as $term ) {
		$where[] = $wpdb->prepare( 'option_value LIKE %s', '%' . $wpdb->esc_like( "\"$term\"" ) . '%' );
	}
	$rows  = $wpdb->get_results(
		"SELECT option_name, option_value FROM $wpdb->options WHERE option_name LIKE 'svc\\_frame\\_%\\_meta'" .
		( $where ? ' AND ( ' . implode( ' OR ', $where ) . ' )' : '' )
	);
	$metas = array();
	foreach ( $rows as $row ) {
		$metas[ substr( $row->option_name, strlen( 'svc_frame_' ), 16 ) ] = json_decode( $row->option_value );
	}
	return $metas;
}

/** The ids of frames by slug. */
function same_work_ids() {
	return array_flip( get_option( 'svc_frames', array() ) );
}

/** The ids of the pages on frames, by frame. */
function same_work_pages() {
	global $wpdb;
	$pages = array();
	foreach ( $wpdb->get_results( "SELECT post_id, meta_value FROM $wpdb->postmeta WHERE meta_key = '_svc_frame' ORDER BY post_id" ) as $row ) {
		$pages[ $row->meta_value ][] = (int) $row->post_id;
	}
	return $pages;
}

function same_work_list_frames() {
	$slugs = get_option( 'svc_frames', array() );
	$ids   = array_flip( $slugs );
	$metas = same_work_metas();
	$pages = same_work_pages();
	asort( $slugs, SORT_STRING );
	$frames = array();
	foreach ( $slugs as $id => $slug ) {
		$frames[] = same_work_frame( $id, $slug, $metas, $ids ) + ( isset( $pages[ $id ] ) ? array( 'pages' => $pages[ $id ] ) : array() );
	}
	return array(
		'success'         => true,
		'site_id'         => get_current_blog_id(),
		'home_url'        => home_url( '/' ),
		'total'           => count( $frames ),
		'registry_option' => 'svc_frames',
		'page_meta'       => '_svc_frame',
		'slug_pattern'    => '^[a-z0-9]+(?:-[a-z0-9]+)*(?:__[a-z0-9]+(?:-[a-z0-9]+)*)?(?:--[a-z0-9]+(?:-[a-z0-9]+)*)?$',
		'frames'          => $frames,
	);
}

function same_work_get_frame( $request ) {
	$ids  = same_work_ids();
	$slug = $request['ref'];
	if ( ! isset( $ids[ $slug ] ) ) {
		return new WP_Error( 'frame_not_found', 'There is no such frame.', array( 'status' => 404 ) );
	}
	$id     = $ids[ $slug ];
	$record = get_option( "svc_frame_$id" );
	$metas  = array( $id => json_decode( get_option( "svc_frame_{$id}_meta" ) ) );
	$slugs  = array_flip( $ids );
	$around = same_work_metas( array( $slug, $id ) );
	$by     = array();
	foreach ( $around as $other => $meta ) {
		if ( array_intersect( array( $slug, $id ), $meta->references ) ) {
			$by[] = $slugs[ $other ];
		}
	}
	sort( $by, SORT_STRING );
	$pages = get_posts(
		array(
			'post_type'   => 'page',
			'post_status' => 'any',
			'meta_key'    => '_svc_frame',
			'meta_value'  => $id,
			'fields'      => 'ids',
			'nopaging'    => true,
		)
	);
	return array(
		'success' => true,
		'frame'   => same_work_frame( $id, $slug, $metas, $ids ) + array(
			'pages'         => $pages,
			'html'          => $record['html'],
			'referenced_by' => $by,
		),
	);
}

function same_work_frame( $id, $slug, $metas, $ids ) {
	$meta = $metas[ $id ];
	$refs = array_unique( array_map( fn( $ref ) => isset( $ids[ $ref ] ) ? $ref : ( array_search( $ref, $ids, true ) ?: $ref ), $meta->references ) );
	sort( $refs, SORT_STRING );
	preg_match( '/^(.+?)(?:__(.+?))?(?:--(.+))?$/', $slug, $parts, PREG_UNMATCHED_AS_NULL );
	return array(
		'id'                 => $id,
		'slug'               => $slug,
		'block'              => $parts[1],
		'element'            => $parts[2] ?? null,
		'modifier'           => $parts[3] ?? null,
		'bytes'              => $meta->bytes,
		'sha256'             => $meta->sha256,
		'inserts'            => $meta->inserts,
		'sources'            => $meta->sources,
		'frame_refs'         => $refs,
		'binds'              => $meta->binds,
		'created_at_gmt'     => $meta->created_at_gmt,
		'updated_at_gmt'     => $meta->updated_at_gmt,
		'updated_by'         => $meta->updated_by,
		'option'             => "svc_frame_$id",
		'renders_on_request' => same_work_is_live( $meta, $metas, $ids ),
	);
}

function same_work_is_live( $meta, $metas, $ids, $depth = 0 ) {
	if ( $meta->live_reasons ) {
		return true;
	}
	foreach ( $depth < 32 ? $meta->references : array() as $ref ) {
		$id    = $ids[ $ref ] ?? $ref;
		$below = $metas[ $id ] ?? json_decode( get_option( "svc_frame_{$id}_meta", 'null' ) );
		if ( $below && same_work_is_live( $below, $metas, $ids, $depth + 1 ) ) {
			return true;
		}
	}
	return false;
}
