<?php
/** Frames as they are stored, and their reads. */

namespace Old_Endpoint;

const SLUG_PATTERN = '^[a-z0-9]+(?:-[a-z0-9]+)*(?:__[a-z0-9]+(?:-[a-z0-9]+)*)?(?:--[a-z0-9]+(?:-[a-z0-9]+)*)?$';
const ZERO_DATE    = '0000-00-00 00:00:00';

/** All frames of the current site, by id, sorted by slug. */
final class Frames {
	private $frames = array();
	private $ids    = array();

	public function __construct() {
		$registry = get_option( 'svc_frames', array() );
		foreach ( is_array( $registry ) ? $registry : array() as $id => $slug ) {
			$this->add( (string) $id, decode_record( get_option( "svc_frame_$id", '' ), (string) $slug ) );
		}
	}

	/** Adds a frame, or replaces it. */
	public function add( $id, $record ) {
		$this->frames[ $id ] = array( 'id' => $id ) + $record + array( 'report' => analyze( $record['html'] ) );
		uasort(
			$this->frames,
			function ( $a, $b ) {
				return strcmp( $a['slug'], $b['slug'] );
			}
		);
		$this->ids = array_flip( array_column( $this->frames, 'slug', 'id' ) );
	}

	public function remove( $id ) {
		unset( $this->ids[ $this->frames[ $id ]['slug'] ], $this->frames[ $id ] );
	}

	public function all() {
		return $this->frames;
	}

	public function get( $id ) {
		return $this->frames[ $id ];
	}

	/** The id of the frame with this id or slug; null if there is none. */
	public function find( $ref ) {
		$name = strtolower( $ref );
		return isset( $this->frames[ $name ] ) ? $name : ( isset( $this->ids[ $name ] ) ? (string) $this->ids[ $name ] : null );
	}

	public function find_or_fail( $ref ) {
		if ( '' === trim( $ref ) ) {
			throw new Failure( 'frame_ref_required', 'The reference to the frame is empty. Send its id or slug.' );
		}
		$id = $this->find( $ref );
		if ( null === $id ) {
			throw new Failure( 'frame_not_found', 'No frame has this id or slug. List the frames to find it.' );
		}
		return $id;
	}

	/** The slugs of the frames that a frame embeds, and the references that name no frame, as written. */
	public function references( $id ) {
		$refs    = array();
		$missing = array();
		foreach ( $this->frames[ $id ]['report']['references'] as $ref ) {
			$found  = $this->find( $ref );
			$refs[] = null === $found ? $ref : $this->frames[ $found ]['slug'];
			if ( null === $found ) {
				$missing[] = $ref;
			}
		}
		$refs = array_values( array_unique( $refs ) );
		sort( $refs, SORT_STRING );
		sort( $missing, SORT_STRING );
		return array( $refs, $missing );
	}

	/** The frames that embed a frame directly, sorted by slug. */
	public function embedders( $id ) {
		return array_filter(
			$this->frames,
			function ( $frame ) use ( $id ) {
				return in_array( $id, array_map( array( $this, 'find' ), $frame['report']['references'] ), true );
			}
		);
	}

	/** The ids of the frames that embed a frame, directly and indirectly, without itself. */
	public function all_embedders( $id ) {
		$seen = array( $id => true );
		for ( $open = array( $id ); $open; ) {
			foreach ( array_keys( $this->embedders( array_shift( $open ) ) ) as $embedder ) {
				if ( ! isset( $seen[ $embedder ] ) ) {
					$seen[ $embedder ] = true;
					$open[]            = (string) $embedder;
				}
			}
		}
		unset( $seen[ $id ] );
		return array_map( 'strval', array_keys( $seen ) );
	}

	/** The frames that a frame embeds, directly and indirectly, without itself. */
	public function embedded( $id ) {
		$seen = array( $id => true );
		for ( $open = array( $id ); $open; ) {
			foreach ( $this->frames[ array_shift( $open ) ]['report']['references'] as $ref ) {
				$found = $this->find( $ref );
				if ( null !== $found && ! isset( $seen[ $found ] ) ) {
					$seen[ $found ] = true;
					$open[]         = $found;
				}
			}
		}
		unset( $seen[ $id ] );
		return array_intersect_key( $this->frames, $seen );
	}

	public function live_reasons( $id ) {
		$inherited = array();
		foreach ( $this->embedded( $id ) as $frame ) {
			if ( $frame['report']['live_reasons'] ) {
				$inherited[] = 'frame ' . $frame['slug'];
			}
		}
		sort( $inherited, SORT_STRING );
		return array_merge( $this->frames[ $id ]['report']['live_reasons'], $inherited );
	}

	public function renders_on_request( $id ) {
		return array() !== $this->live_reasons( $id );
	}
}

/** A record in any of the formats of this endpoint's past: an array or JSON with `html`, `markup` or `content`, or bare markup. */
function decode_record( $stored, $slug ) {
	$fields = is_string( $stored ) && '{' === substr( $stored, 0, 1 ) ? json_decode( $stored, true ) : $stored;
	$html   = null;
	if ( is_array( $fields ) ) {
		$html = $fields['html'] ?? $fields['markup'] ?? $fields['content'] ?? null;
	}
	if ( ! is_string( $html ) ) {
		if ( ! is_string( $stored ) ) {
			throw new Failure( 'frame_unreadable', "The stored record of frame $slug contains no markup." );
		}
		$html   = $stored;
		$fields = array();
	}
	return array(
		'slug'           => $slug,
		'html'           => $html,
		'created_at_gmt' => $fields['created_at_gmt'] ?? ZERO_DATE,
		'updated_at_gmt' => $fields['updated_at_gmt'] ?? ZERO_DATE,
		'updated_by'     => (int) ( $fields['updated_by'] ?? 0 ),
	);
}

function slug_parts( $slug ) {
	list( $name, $modifier ) = array_pad( explode( '--', $slug, 2 ), 2, null );
	list( $block, $element ) = array_pad( explode( '__', $name, 2 ), 2, null );
	return compact( 'block', 'element', 'modifier' );
}

/** The ids of the pages that stand on a frame, ascending. */
function pages_of_frame( $id ) {
	global $wpdb;
	return array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT DISTINCT post_id FROM $wpdb->postmeta WHERE meta_key = '_svc_frame' AND meta_value = %s ORDER BY post_id", $id ) ) );
}

/** A frame object, without `pages`. */
function present_frame( $frames, $id ) {
	$frame        = $frames->get( $id );
	list( $refs ) = $frames->references( $id );
	return array( 'id' => (string) $id, 'slug' => $frame['slug'] ) + slug_parts( $frame['slug'] ) + array(
		'bytes'              => strlen( $frame['html'] ),
		'sha256'             => hash( 'sha256', $frame['html'] ),
		'inserts'            => map( $frame['report']['inserts'] ),
		'sources'            => $frame['report']['sources'],
		'frame_refs'         => $refs,
		'binds'              => $frame['report']['binds'],
		'created_at_gmt'     => $frame['created_at_gmt'],
		'updated_at_gmt'     => $frame['updated_at_gmt'],
		'updated_by'         => $frame['updated_by'],
		'option'             => "svc_frame_$id",
		'renders_on_request' => $frames->renders_on_request( $id ),
	);
}

function list_frames( $call ) {
	$frames   = new Frames();
	$query    = $call['query'];
	$block    = strtolower( $query['block'] ?? '' );
	$searched = strtolower( $query['q'] ?? '' );
	$html     = flag( $query, 'include_html', false );
	$list     = array();
	foreach ( $frames->all() as $id => $frame ) {
		if ( ( '' !== $block && slug_parts( $frame['slug'] )['block'] !== $block ) || ( '' !== $searched && false === strpos( $frame['slug'], $searched ) ) ) {
			continue;
		}
		$pages  = pages_of_frame( $id );
		$list[] = present_frame( $frames, $id ) + ( $pages ? array( 'pages' => $pages ) : array() ) + ( $html ? array( 'html' => $frame['html'] ) : array() );
	}
	return array(
		'site_id'         => $call['site'],
		'home_url'        => untrailingslashit( get_option( 'home' ) ) . '/',
		'total'           => count( $list ),
		'registry_option' => 'svc_frames',
		'page_meta'       => '_svc_frame',
		'slug_pattern'    => SLUG_PATTERN,
		'frames'          => $list,
	) + ( isset( $query['type'] ) ? array( 'warnings' => array( 'type_ignored' ) ) : array() );
}

function get_frame( $call ) {
	$frames = new Frames();
	$id     = $frames->find_or_fail( part( $call, 'ref' ) );
	return array(
		'frame' => present_frame( $frames, $id ) + array(
			'pages'         => pages_of_frame( $id ),
			'html'          => $frames->get( $id )['html'],
			'referenced_by' => array_column( $frames->embedders( $id ), 'slug' ),
		),
	);
}
