<?php
/** Replaces a frame's markup and bakes the frames that embed it. */
function same_work_put_frame( $request ) {
	$ids  = same_work_ids();
	$slug = $request['ref'];
	$html = $request['html'];
	if ( ! isset( $ids[ $slug ] ) || ! is_string( $html ) ) {
		return new WP_Error( 'frame_not_found', 'There is no such frame.', array( 'status' => 404 ) );
	}
	$id  = $ids[ $slug ];
	$now = gmdate( 'Y-m-d H:i:s' );
	preg_match_all( '#<!-- svc/(\w+)( \{.*?\})? /?-->#', $html, $inserts, PREG_SET_ORDER );
	$counts = array();
	$refs   = array();
	foreach ( $inserts as $insert ) {
		$kind            = "op/$insert[1]";
		$counts[ $kind ] = ( $counts[ $kind ] ?? 0 ) + 1;
		if ( 'frame' === $insert[1] ) {
			$refs[] = json_decode( $insert[2] )->name;
		}
	}
	$old    = get_option( "svc_frame_$id" );
	$record = array(
		'slug'           => $slug,
		'html'           => $html,
		'created_at_gmt' => $old['created_at_gmt'],
		'updated_at_gmt' => $now,
		'updated_by'     => get_current_user_id(),
	);
	$meta   = array(
		'bytes'        => strlen( $html ),
		'sha256'       => hash( 'sha256', $html ),
		'inserts'      => (object) $counts,
		'sources'      => array(),
		'references'   => array_values( array_unique( $refs ) ),
		'binds'        => substr_count( $html, 'data-op-bind=' ),
		'live_reasons' => array(),
	) + array_diff_key( $record, array( 'slug' => 1, 'html' => 1 ) );
	update_option( "svc_frame_$id", $record, 'no' );
	update_option( "svc_frame_{$id}_meta", wp_json_encode( $meta ), 'no' );
	update_option( 'svc_frames_version', bin2hex( random_bytes( 12 ) ), 'no' );

	$metas   = same_work_metas();
	$rebaked = array();
	foreach ( same_work_embedders( $slug, $metas, array_flip( $ids ) ) as $other ) {
		$rebaked[] = array(
			'id'   => $other,
			'bake' => same_work_bake( $other, $ids ) ? 'baked' : 'not_needed',
		);
	}
	same_work_bake( $id, $ids );
	return array(
		'success' => true,
		'applied' => true,
		'updated' => true,
		'site_id' => get_current_blog_id(),
		'frame'   => same_work_frame( $id, $slug, array( $id => json_decode( wp_json_encode( $meta ) ) ) + $metas, $ids ),
		'rebaked' => array(
			'total'  => count( $rebaked ),
			'frames' => $rebaked,
		),
	);
}

/** Ids of the frames that embed a frame, directly or through others. */
function same_work_embedders( $slug, $metas, $slugs ) {
	$found = array();
	$names = array( $slug );
	while ( $names ) {
		$next = array();
		foreach ( $metas as $id => $meta ) {
			if ( ! isset( $found[ $id ] ) && array_intersect( $names, $meta->references ) ) {
				$found[ $id ] = true;
				$next[]       = $slugs[ $id ];
			}
		}
		$names = $next;
	}
	return array_keys( $found );
}

/** Stores the baked copy of a frame with everything that it embeds. Returns whether it changed. */
function same_work_bake( $id, $ids ) {
	return update_option( "svc_frame_{$id}_baked", same_work_print( $id, $ids, 0 ), 'no' );
}

function same_work_print( $id, $ids, $depth ) {
	$record = get_option( "svc_frame_$id" );
	return preg_replace_callback(
		'#<!-- svc/(frame|menu) (\{.*?\}) /-->#',
		function ( $insert ) use ( $ids, $depth ) {
			$params = json_decode( $insert[2], true );
			if ( 'menu' === $insert[1] ) {
				return wp_nav_menu(
					array(
						'theme_location' => $params['location'],
						'fallback_cb'    => false,
						'echo'           => false,
					)
				);
			}
			$below = $ids[ $params['name'] ] ?? null;
			return $below && $depth < 32 ? same_work_print( $below, $ids, $depth + 1 ) : '';
		},
		$record['html']
	);
}
