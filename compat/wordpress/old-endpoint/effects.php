<?php
/** What writes report of builds and caches. This endpoint builds nothing: the fields have the shape of the contract and plausible values. */

namespace Old_Endpoint;

function bake_report( $frames, $id, $is_requested ) {
	if ( ! $is_requested ) {
		return array( 'status' => 'skipped' );
	}
	$frame = $frames->get( $id );
	$pages = pages_of_frame( $id );
	return array(
		'status'   => 'ok',
		'response' => array(
			'baked'              => true,
			'frame_id'           => $id,
			'bytes'              => strlen( $frame['html'] ),
			'source_bytes'       => strlen( $frame['html'] ),
			'baked_option'       => "svc_frame_{$id}_baked",
			'renders_on_request' => $frames->renders_on_request( $id ),
			'lang'               => array(),
			'default_lang'       => null,
			'blocks'             => 1,
			'inserts'            => array_sum( $frame['report']['inserts'] ),
			'unknown_inserts'    => $frame['report']['unknown'],
			'binds'              => $frame['report']['binds'],
			'bind_tags'          => $frame['report']['bind_tags'],
			'repeats'            => array(),
			'frames'             => array_column( $frames->embedded( $id ), 'slug' ),
			'unresolved'         => array(),
			'warnings'           => array(),
			'published'          => array(
				'published' => array() !== $pages,
				'pages'     => $pages,
			),
			'pages'              => $pages,
		),
	);
}

/** @param array $because by the id of each frame: the reasons */
function rebake_report( $frames, $because ) {
	$reports = array();
	foreach ( $because as $id => $reasons ) {
		$reports[] = array(
			'id'      => (string) $id,
			'slug'    => $frames->get( $id )['slug'],
			'because' => $reasons,
			'bake'    => 'not_needed',
			'detail'  => 'The frame reads this when a page is rendered.',
		);
	}
	return array(
		'status'     => 'ok',
		'total'      => count( $reports ),
		'baked'      => 0,
		'not_needed' => count( $reports ),
		'failed'     => 0,
		'frames'     => $reports,
		'cache'      => cache_report(),
	);
}

function cache_report() {
	return array(
		'status'  => 'skipped',
		'scope'   => 'pages',
		'pages'   => array(),
		'flushed' => array(
			'urls' => array(
				'status'  => 'skipped',
				'by'      => 'none',
				'urls'    => array(),
				'skipped' => array(),
			),
		),
	);
}

/** The frames that show menus, for writes of menus. */
function rebake_of_menus() {
	$frames  = new Frames();
	$because = array();
	foreach ( $frames->all() as $id => $frame ) {
		foreach ( array_merge( array( $frame ), $frames->embedded( $id ) ) as $shown ) {
			if ( preg_grep( '/^menu\./', $shown['report']['sources'] ) || isset( $shown['report']['inserts']['op/menu'] ) ) {
				$because[ $id ] = array( 'menus' );
			}
		}
	}
	return rebake_report( $frames, $because );
}
