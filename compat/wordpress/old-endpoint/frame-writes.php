<?php
/** Writes of frames: the registry `svc_frames`, the records `svc_frame_<id>` and the post meta `_svc_frame`. */

namespace Old_Endpoint;

const MAX_MARKUP_BYTES = 2097152;

function store_frame( $frames, $id, $record ) {
	$registry        = get_option( 'svc_frames', array() );
	$registry[ $id ] = $record['slug'];
	update_option( "svc_frame_$id", $record, false );
	update_option( 'svc_frames', $registry, false );
	$frames->add( $id, $record );
}

/** `dry_run`, unless this endpoint ignores it as a deviation. */
function is_dry_run( $call, $body ) {
	return flag( $body, 'dry_run', false ) && ! deviation( $call['request'], 'dry_run' );
}

function assert_no_url( $body ) {
	if ( isset( $body['url'] ) ) {
		throw new Failure( 'frame_url_not_supported', 'A frame has no URL. Leave "url" out; assign the frame to a page with POST /frames/{ref}/assign.' );
	}
}

/** A warning for each field of the body that is ignored. */
function ignored_fields( $body ) {
	return array_keys(
		array_filter(
			array(
				'type_ignored'    => array_key_exists( 'type', $body ),
				'default_ignored' => array_key_exists( 'default', $body ) || array_key_exists( 'is_default', $body ),
				'name_ignored'    => array_key_exists( 'name', $body ),
			)
		)
	);
}

function read_slug( $value ) {
	$slug = is_string( $value ) ? strtolower( $value ) : '';
	if ( strlen( $slug ) <= 200 && preg_match( '/' . SLUG_PATTERN . '/D', $slug ) ) {
		return $slug;
	}
	$hint = 'Use lower-case letters, digits and single hyphens: block, block__element, block--modifier or block__element--modifier.';
	throw new Failure( 'invalid_slug', "Invalid slug. $hint", array( 'pattern' => SLUG_PATTERN, 'hint' => $hint ) );
}

function read_markup( $body ) {
	// The first spelling that holds text.
	$html = ( $body['html'] ?? '' ) ?: ( $body['markup'] ?? '' ) ?: ( $body['content'] ?? null );
	if ( ! is_string( $html ) || '' === $html ) {
		throw new Failure( 'frame_html_required', 'The markup is missing. Send it as a string in "html".' );
	}
	if ( strlen( $html ) > MAX_MARKUP_BYTES ) {
		throw new Failure( 'frame_too_large', 'The markup is larger than 2 MB.', array( 'max_bytes' => MAX_MARKUP_BYTES ) );
	}
	return $html;
}

function assert_free( $frames, $slug, $self = null ) {
	foreach ( $frames->all() as $id => $frame ) {
		if ( $frame['slug'] === $slug && (string) $id !== $self ) {
			throw new Failure( 'slug_taken', "The slug \"$slug\" is already used by frame $id.", array( 'id' => (string) $id ) );
		}
	}
}

/** One insert must not name two frames; the id and the slug of the same frame do not conflict. */
function assert_references_agree( $frames, $html ) {
	foreach ( analyze( $html )['aliases'] as $pairs ) {
		$targets = array();
		foreach ( $pairs as $pair ) {
			$targets[ $frames->find( $pair['value'] ) ?? $pair['value'] ] = true;
		}
		if ( count( $targets ) > 1 ) {
			throw new Failure( 'frame_ref_conflict', 'An insert names different frames. Keep only one of its keys.', array( 'conflicts' => $pairs ) );
		}
	}
}

function new_record( $call, $slug, $html, $created = null ) {
	$now = current_time( 'mysql', true );
	return array(
		'slug'           => $slug,
		'html'           => $html,
		'created_at_gmt' => null === $created || ZERO_DATE === $created ? $now : $created,
		'updated_at_gmt' => $now,
		'updated_by'     => $call['user']->ID,
	);
}

/** The report of POST and PUT. */
function present_report( $frames, $id, $warnings ) {
	list( $refs, $missing ) = $frames->references( $id );
	$report                 = $frames->get( $id )['report'];
	$reasons                = $frames->live_reasons( $id );
	foreach ( $missing as $ref ) {
		$warnings[] = "The frame \"$ref\" does not exist; its insert prints nothing.";
	}
	return array(
		'inserts'            => map( $report['inserts'] ),
		'inserts_total'      => array_sum( $report['inserts'] ),
		'sources'            => $report['sources'],
		'frame_refs'         => $refs,
		'binds'              => $report['binds'],
		'renders_on_request' => array() !== $reasons,
		'live_reasons'       => $reasons,
		'has_doctype'        => $report['has_doctype'],
		'has_body'           => $report['has_body'],
		'warnings'           => $warnings,
		'frame_refs_missing' => $missing,
	);
}

/** `rebaked` of a write of a frame. */
function rebake_embedders( $frames, $id ) {
	$because = array();
	foreach ( $frames->all_embedders( $id ) as $embedder ) {
		$because[ $embedder ] = array( 'frame ' . $frames->get( $id )['slug'] );
	}
	return rebake_report( $frames, $because );
}

function create_frame( $call ) {
	$body = object_body( $call );
	assert_no_url( $body );
	$slug   = read_slug( $body['slug'] ?? null );
	$html   = read_markup( $body );
	$frames = new Frames();
	assert_free( $frames, $slug );
	assert_references_agree( $frames, $html );
	do {
		$id = bin2hex( random_bytes( 8 ) );
		// PHP converts an id without a letter to an integer key.
	} while ( ctype_digit( $id ) );
	return write_frame( $call, $frames, $id, new_record( $call, $slug, $html ), array( 'updated' => false ) );
}

function replace_frame( $call ) {
	$body = object_body( $call );
	assert_no_url( $body );
	$slug   = isset( $body['slug'] ) ? read_slug( $body['slug'] ) : null;
	$html   = read_markup( $body );
	$frames = new Frames();
	$id     = $frames->find_or_fail( part( $call, 'ref' ) );
	$before = $frames->get( $id );
	$slug   = $slug ?? $before['slug'];
	assert_free( $frames, $slug, $id );
	assert_references_agree( $frames, $html );
	$renamed = $slug === $before['slug'] ? array() : array( 'renamed' => rename_in_embedders( $call, $frames, $id, $slug ) );
	return write_frame( $call, $frames, $id, new_record( $call, $slug, $html, $before['created_at_gmt'] ), array( 'updated' => true ) + $renamed );
}

/** The end of POST and PUT. */
function write_frame( $call, $frames, $id, $record, $more ) {
	$body   = $call['body'];
	$is_dry = is_dry_run( $call, $body );
	if ( $is_dry ) {
		$frames->add( $id, $record );
	} else {
		store_frame( $frames, $id, $record );
	}
	$bake    = flag( $body, 'bake', true );
	$answer  = array(
		'applied' => ! $is_dry,
		'updated' => $more['updated'] && ! $is_dry,
		'site_id' => $call['site'],
		'frame'   => present_frame( $frames, $id ),
	) + present_report( $frames, $id, ignored_fields( $body ) );
	$answer += array_intersect_key( $more, array( 'renamed' => true ) );
	if ( $is_dry ) {
		return array( 'dry_run' => true ) + $answer;
	}
	return $answer + array(
		'bake'    => bake_report( $frames, $id, $bake ),
		'rebaked' => rebake_embedders( $frames, $id ),
	);
}

/** Rewrites the inserts of other frames that name a frame by its slug. In a dry run nothing is stored. */
function rename_in_embedders( $call, $frames, $id, $to ) {
	$from    = $frames->get( $id )['slug'];
	$details = array();
	foreach ( $frames->embedders( $id ) as $other => $frame ) {
		list( $html, $replaced ) = rewrite_references( $frame['html'], $from, $to );
		if ( (string) $other === $id || 0 === $replaced ) {
			continue;
		}
		$details[] = array( 'id' => (string) $other, 'slug' => $frame['slug'], 'replaced' => $replaced );
		$record    = new_record( $call, $frame['slug'], $html, $frame['created_at_gmt'] );
		if ( is_dry_run( $call, $call['body'] ) ) {
			$frames->add( (string) $other, $record );
		} else {
			store_frame( $frames, (string) $other, $record );
		}
	}
	return array(
		'from'           => $from,
		'to'             => $to,
		'frames_updated' => array_column( $details, 'slug' ),
		'details'        => $details,
	);
}

/** The markup with the new slug in the inserts that name the old one, and the number of these inserts. No other byte changes. */
function rewrite_references( $html, $from, $to ) {
	$replaced = 0;
	$result   = preg_replace_callback(
		'~<!--\s*svc/(?:frame|partial|repeat)\b.*?-->~s',
		function ( $match ) use ( $from, $to, &$replaced ) {
			$insert = read_comment( $match[0] );
			if ( ! $insert || ! is_array( $insert['params'] ) ) {
				return $match[0];
			}
			$pairs  = references_of( $insert + array( 'has_body' => 'opening' === $insert['form'] ) );
			$values = array_column( $pairs, 'value', 'key' );
			$text   = $match[0];
			foreach ( array_keys( $values, $from, true ) as $at => $key ) {
				$name = 'repeat' !== $insert['name'] && 'name' !== $key && $key === $pairs[0]['key'] && ! array_key_exists( 'name', $insert['params'] ) ? 'name' : $key;
				$text = preg_replace( '~"' . $key . '"(\s*:\s*)"\s*' . preg_quote( $from, '~' ) . '\s*"~i', '"' . $name . '"$1"' . $to . '"', $text, 1 );
			}
			$replaced += $text === $match[0] ? 0 : 1;
			return $text;
		},
		$html
	);
	return array( $result, $replaced );
}

function rename_frame( $call ) {
	$body = object_body( $call );
	assert_no_url( $body );
	if ( ! isset( $body['slug'] ) ) {
		if ( array_key_exists( 'default', $body ) || array_key_exists( 'is_default', $body ) ) {
			frame_defaults_gone();
		}
		throw new Failure( 'nothing_to_update', 'This endpoint changes only the slug of a frame. Send it in "slug"; replace the markup with PUT.' );
	}
	$to     = read_slug( $body['slug'] );
	$frames = new Frames();
	$id     = $frames->find_or_fail( part( $call, 'ref' ) );
	assert_free( $frames, $to, $id );
	$renamed  = rename_in_embedders( $call, $frames, $id, $to );
	$before   = $frames->get( $id );
	$record   = new_record( $call, $to, $before['html'], $before['created_at_gmt'] );
	$is_dry   = is_dry_run( $call, $body );
	$warnings = ignored_fields( $body );
	if ( $is_dry ) {
		$frames->add( $id, $record );
	} else {
		store_frame( $frames, $id, $record );
	}
	return ( $is_dry ? array( 'dry_run' => true, 'applied' => false ) : array() ) + array(
		'site_id' => $call['site'],
		'frame'   => present_frame( $frames, $id ),
		'renamed' => $renamed,
	) + ( $warnings ? array( 'warnings' => $warnings ) : array() ) + ( $is_dry ? array() : array(
		'bake'    => bake_report( $frames, $id, flag( $body, 'bake', true ) ),
		'rebaked' => rebake_embedders( $frames, $id ),
	) );
}

function delete_frame( $call ) {
	$body   = object_body( $call );
	$frames = new Frames();
	$id     = $frames->find_or_fail( part( $call, 'ref' ) );
	$slug   = $frames->get( $id )['slug'];
	$others = array_values( array_diff( array_column( $frames->embedders( $id ), 'slug' ), array( $slug ) ) );
	$pages  = pages_of_frame( $id );
	foreach ( $pages as $page ) {
		delete_post_meta( $page, '_svc_frame' );
	}
	$registry = get_option( 'svc_frames', array() );
	unset( $registry[ $id ] );
	update_option( 'svc_frames', $registry, false );
	delete_option( "svc_frame_$id" );
	delete_option( "svc_frame_{$id}_baked" );
	$warnings = array();
	if ( $pages ) {
		$warnings[] = count( $pages ) . ' page(s) have no frame now and return 404: ' . implode( ', ', $pages ) . '.';
	}
	if ( $others ) {
		$warnings[] = "Frames that embed \"$slug\" print nothing for it until a frame has that slug again: " . implode( ', ', $others ) . '.';
	}
	return array(
		'site_id'       => $call['site'],
		'deleted'       => array( 'id' => $id, 'slug' => $slug ) + slug_parts( $slug ),
		'unbound_pages' => $pages,
		'referenced_by' => $others,
		'warnings'      => $warnings,
		'bake'          => array( 'status' => 'skipped' ),
	);
}

function assign_frame( $call ) {
	$body   = object_body( $call );
	$ref    = $body['page'] ?? null;
	$frames = new Frames();
	if ( ! ( is_int( $ref ) && $ref > 0 ) && ! ( is_string( $ref ) && '' !== trim( $ref ) ) ) {
		throw new Failure( 'page_required', 'The page is missing. Send its id, slug or path in "page".' );
	}
	$id    = $frames->find_or_fail( part( $call, 'ref' ) );
	$page  = the_page( $ref );
	$clear = flag( $body, 'clear', false );
	$own   = get_post_meta( $page->ID, '_svc_frame', true );
	if ( ! $clear ) {
		update_post_meta( $page->ID, '_svc_frame', $id );
	} elseif ( '' !== $own && ( $own === $id || null === $frames->find( $own ) ) ) {
		delete_post_meta( $page->ID, '_svc_frame' );
	}
	return array(
		'site_id'   => $call['site'],
		'frame'     => present_frame( $frames, $id ),
		'page'      => array( 'id' => $page->ID, 'title' => $page->post_title, 'url' => get_permalink( $page ) ),
		'meta_key'  => '_svc_frame',
		'cleared'   => $clear,
		'static'    => array(
			'published'     => false,
			'url'           => null,
			'bytes'         => 0,
			'reason'        => 'disabled',
			'message'       => 'This endpoint keeps no static copies.',
			'was_published' => false,
			'was_url'       => null,
			'removed'       => false,
			'changed'       => false,
		),
		'republish' => array( 'status' => 'skipped' ),
	);
}

function rebake_frames( $call ) {
	$body    = object_body( $call );
	$changed = array();
	foreach ( array( 'all', 'menus', 'pages', 'languages', 'settings' ) as $name ) {
		if ( flag( $body, $name, false ) ) {
			$changed[ $name ] = true;
		}
	}
	foreach ( array( 'datasets', 'frames' ) as $name ) {
		if ( ! empty( $body[ $name ] ) ) {
			if ( ! is_array( $body[ $name ] ) ) {
				throw invalid_param( $name, 'must be a list of names' );
			}
			$changed[ $name ] = array_map( 'strval', $body[ $name ] );
		}
	}
	if ( ! $changed ) {
		throw new Failure( 'nothing_to_rebake', 'Nothing is selected. Send at least one of all, menus, pages, languages, settings, datasets, frames.' );
	}
	$frames  = new Frames();
	$because = array();
	$skipped = array();
	foreach ( $frames->all() as $id => $frame ) {
		if ( ! isset( $changed['all'] ) && ! depends_on( $frames, $id, $changed ) ) {
			continue;
		}
		if ( count( $because ) < 25 ) {
			$because[ $id ] = array_keys( $changed );
		} else {
			$skipped[] = $frame['slug'];
		}
	}
	$rebaked = rebake_report( $frames, $because ) + ( $skipped ? array( 'skipped' => $skipped ) : array() );
	return array( 'site_id' => $call['site'], 'changed' => $changed, 'rebaked' => $rebaked );
}

function depends_on( $frames, $id, $changed ) {
	$shown   = array( $id => $frames->get( $id ) ) + $frames->embedded( $id );
	$sources = array_merge( array(), ...array_values( array_column( array_column( $shown, 'report' ), 'sources' ) ) );
	$slugs   = array_merge( array_column( $frames->embedded( $id ), 'slug' ), array_column( $frames->embedded( $id ), 'id' ) );
	$wanted  = array_map(
		function ( $name ) {
			return "dataset.$name";
		},
		$changed['datasets'] ?? array()
	);
	return ( isset( $changed['menus'] ) && preg_grep( '/^menu\./', $sources ) )
		|| ( isset( $changed['pages'] ) && preg_grep( '/^(?:page\.|pages$|menu\.)/', $sources ) )
		|| ( isset( $changed['languages'] ) && preg_grep( '/^(?:languages$|menu\.|site\.)/', $sources ) )
		|| ( isset( $changed['settings'] ) && preg_grep( '/^(?:settings\.|site\.|menu\.)/', $sources ) )
		|| array_intersect( $wanted, $sources )
		|| array_intersect( array_map( 'strtolower', $changed['frames'] ?? array() ), $slugs );
}
