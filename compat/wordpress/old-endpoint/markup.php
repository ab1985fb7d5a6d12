<?php
/**
 * The report on markup, found with regular expressions. It agrees with wp-frames on ordinary markup: it does not build a tree, so elements that
 * are closed at unusual positions, foreign elements (SVG, MathML) and escaped scripts may be read in another way.
 */

namespace Old_Endpoint;

const KINDS          = array( 'frame', 'partial', 'menu', 'repeat', 'data', 'content', 'lang-switcher' );
const REFERENCE_KEYS = array( 'name', 'ref', 'frame', 'slug', 'id' );
/** Comments, doctypes, elements of which the content is text, and tags. */
const TOKENS = '~<!--(?:>|->|.*?(?:--!?>|\z))|<!doctype\b[^>]*>|<(?<raw>script|style|xmp|iframe|noembed|noframes|noscript|title|textarea)(?=[\s/>])(?<rawattributes>(?:"[^"]*"|\'[^\']*\'|[^"\'>])*)>(?:.*?)(?=</\g{raw}[\s/>]|\z)|<(?<tag>[a-z][^\s/>]*)(?<attributes>(?:"[^"]*"|\'[^\']*\'|[^"\'>])*)>~is';
const VOID   = '/^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/';
const ROOTS  = array(
	'site'      => array( 1, PHP_INT_MAX ),
	'settings'  => array( 1, PHP_INT_MAX ),
	'page'      => array( 1, PHP_INT_MAX ),
	'pages'     => array( 0, 0 ),
	'menu'      => array( 1, 1 ),
	'languages' => array( 0, 0 ),
	'dataset'   => array( 1, PHP_INT_MAX ),
	'props'     => array( 1, PHP_INT_MAX ),
	'item'      => array( 0, PHP_INT_MAX ),
);

/** The report, as far as the markup alone determines it; `references` are as written. */
function analyze( $html ) {
	$report = array(
		'inserts'      => array(),
		'sources'      => array(),
		'references'   => array(),
		'aliases'      => array(),
		'binds'        => 0,
		'bind_tags'    => 0,
		'live_reasons' => array(),
		'has_doctype'  => false,
		'has_body'     => false,
		'unknown'      => array(),
	);
	preg_match_all( TOKENS, $html, $tokens, PREG_SET_ORDER | PREG_UNMATCHED_AS_NULL );
	foreach ( $tokens as $token ) {
		$report['has_body']    = $report['has_body'] || 'body' === strtolower( (string) $token['tag'] );
		$report['has_doctype'] = $report['has_doctype'] || 0 === stripos( $token[0], '<!doctype' );
	}
	foreach ( readable_inserts( $tokens ) as $token ) {
		if ( isset( $token['insert'] ) ) {
			report_insert( $token['insert'], $report );
		} elseif ( null !== $token['tag'] || null !== $token['raw'] ) {
			report_binds( strtolower( $token['tag'] ?? $token['raw'] ), $token['attributes'] ?? $token['rawattributes'] ?? '', $report );
		} elseif ( isset( $token['unknown'] ) ) {
			$report['unknown'][] = 'op/' . $token['unknown'];
		}
	}
	foreach ( array( 'sources', 'references', 'live_reasons' ) as $name ) {
		$report[ $name ] = array_map( 'strval', array_keys( $report[ $name ] ) );
	}
	ksort( $report['inserts'], SORT_STRING );
	sort( $report['sources'], SORT_STRING );
	return $report;
}

/** The tokens, without broken inserts: a broken repeat ends with its closing comment, and nothing in it counts. */
function readable_inserts( $tokens ) {
	$open  = array();
	$pairs = array();
	foreach ( $tokens as $at => $token ) {
		$tokens[ $at ]['comment'] = read_comment( $token[0] );
		$comment                  = $tokens[ $at ]['comment'];
		if ( $comment && 'repeat' === $comment['name'] && 'opening' === $comment['form'] ) {
			$open[] = $at;
		}
		if ( $comment && 'repeat' === $comment['name'] && 'closing' === $comment['form'] && $open ) {
			$pairs[ array_pop( $open ) ] = $at;
		}
	}
	$ends   = array_flip( $pairs );
	$result = array();
	$length = count( $tokens );
	for ( $at = 0; $at < $length; $at++ ) {
		$token   = $tokens[ $at ];
		$comment = $token['comment'];
		if ( $comment && ! isset( $ends[ $at ] ) ) {
			$is_known  = in_array( $comment['name'], KINDS, true );
			$is_paired = isset( $pairs[ $at ] );
			$is_open   = 'repeat' === $comment['name'] && 'opening' === $comment['form'] && ! $is_paired;
			if ( ! $is_known ) {
				$token['unknown'] = $comment['name'];
			} elseif ( 'closing' === $comment['form'] || null === $comment['params'] || ( $is_open && ! array_key_exists( 'frame', $comment['params'] ) ) ) {
				$at = $pairs[ $at ] ?? $at;
				continue;
			} else {
				$token['insert'] = $comment + array( 'has_body' => $is_paired );
			}
		}
		$result[] = $token;
	}
	return $result;
}

/** The insert in a comment, as written; null for any other token. */
function read_comment( $text ) {
	if ( ! preg_match( '~^<!--\s*(/?)svc/([^\s/{]*)\s*(.*?)\s*(/?)\s*-->$~Ds', $text, $found ) ) {
		return null;
	}
	list( , $slash, $name, $json, $end ) = $found;
	$params = '' === $json ? (object) array() : json_decode( $json, false, 33 );
	return array(
		'form'   => '/' === $slash ? 'closing' : ( '/' === $end ? 'alone' : 'opening' ),
		'name'   => $name,
		'json'   => $json,
		'params' => is_object( $params ) ? get_object_vars( $params ) : null,
	);
}

/** The keys that name a frame and their values, in order of precedence. */
function references_of( $insert ) {
	$keys = array();
	if ( in_array( $insert['name'], array( 'frame', 'partial' ), true ) ) {
		$keys = REFERENCE_KEYS;
	} elseif ( 'repeat' === $insert['name'] && ! $insert['has_body'] ) {
		$keys = array( 'frame' );
	}
	$pairs = array();
	foreach ( $keys as $key ) {
		$value = is_string( $insert['params'][ $key ] ?? null ) ? strtolower( trim( $insert['params'][ $key ] ) ) : '';
		if ( '' !== $value ) {
			$pairs[] = array( 'key' => $key, 'value' => $value );
		}
	}
	return $pairs;
}

function report_insert( $insert, &$report ) {
	$params = $insert['params'];
	$kind   = 'op/' . $insert['name'];

	$report['inserts'][ $kind ] = ( $report['inserts'][ $kind ] ?? 0 ) + 1;

	$pairs = references_of( $insert );
	if ( $pairs ) {
		$report['references'][ $pairs[0]['value'] ] = true;
	}
	if ( count( array_unique( array_column( $pairs, 'value' ) ) ) > 1 ) {
		$report['aliases'][] = $pairs;
	}
	$path   = null;
	$reason = null;
	switch ( $insert['name'] ) {
		case 'menu':
			$path   = is_string( $params['location'] ?? null ) ? 'menu.' . trim( $params['location'] ) : null;
			$reason = true === ( $params['current'] ?? null ) ? 'svc/menu current' : null;
			break;
		case 'repeat':
		case 'data':
			$path = $params['source'] ?? null;
			break;
		case 'content':
			$path   = 'page.content';
			$reason = 'svc/content';
			break;
		case 'lang-switcher':
			$path   = 'languages';
			$reason = 'svc/lang-switcher';
			break;
	}
	report_path( parse_path( $path ), $reason, $report );
}

/** @param string $attributes as written in a tag */
function report_binds( $tag, $attributes, &$report ) {
	if ( ! preg_match( '~(?:^|[\s"\'/])data-op-bind\s*=\s*(?:"([^"]*)"|\'([^\']*)\'|([^\s"\'>]+))~i', $attributes, $found, PREG_UNMATCHED_AS_NULL ) ) {
		return;
	}
	$written = html_entity_decode( $found[1] ?? $found[2] ?? $found[3] ?? '', ENT_QUOTES | ENT_HTML5, 'UTF-8' );
	$parts   = array_values( array_filter( array_map( 'trim', explode( ';', $written ) ), 'strlen' ) );
	$taken   = array();

	$report['binds']     += min( count( $parts ), 101 );
	$report['bind_tags'] += 1;
	foreach ( array_slice( $parts, 0, 100 ) as $part ) {
		$colon  = strrpos( $part, ':' );
		$target = false === $colon ? '' : strtolower( trim( substr( $part, 0, $colon ) ) );
		$path   = parse_path( false === $colon ? $part : substr( $part, $colon + 1 ) );
		$slot   = '' === $target || 'html' === $target ? 'content' : "attribute $target";
		if ( null === $path || ! may_bind( $target, $path, $tag ) || ( 'if' !== $target && isset( $taken[ $slot ] ) ) ) {
			continue;
		}
		$taken[ $slot ] = true;
		report_path( $path, null, $report );
	}
}

function may_bind( $target, $path, $tag ) {
	if ( 'if' === $target ) {
		return true;
	}
	if ( '' !== $target && 'html' !== $target ) {
		return preg_match( '/^[a-z_][a-z0-9_.:-]*$/D', $target ) && ! preg_match( '/^(?:on.*|style|srcdoc|data-op-bind)$/D', $target );
	}
	if ( preg_match( VOID, $tag ) || preg_match( '/^(?:script|style|xmp|iframe|noembed|noframes|noscript|plaintext)$/', $tag ) ) {
		return false;
	}
	return '' === $target || ( ! preg_match( '/^(?:title|textarea)$/', $tag ) && ( 'dataset' === $path['root'] || in_array( $path['text'], array( 'page.content', 'page.excerpt' ), true ) ) );
}

/** A value path such as `site.title`; null if it is invalid. */
function parse_path( $text ) {
	$trimmed = is_string( $text ) ? trim( $text ) : '';
	$keys    = explode( '.', $trimmed );
	$root    = array_shift( $keys );
	if ( strlen( $trimmed ) > 1000 || ! isset( ROOTS[ $root ] ) || count( $keys ) < ROOTS[ $root ][0] || count( $keys ) > ROOTS[ $root ][1] ) {
		return null;
	}
	foreach ( $keys as $key ) {
		if ( ! preg_match( '/^[A-Za-z0-9_-]+$/D', $key ) || in_array( $key, array( '__proto__', 'constructor', 'prototype' ), true ) ) {
			return null;
		}
	}
	return array( 'text' => $trimmed, 'root' => $root, 'keys' => $keys );
}

function report_path( $path, $reason, &$report ) {
	if ( $path && ! in_array( $path['root'], array( 'props', 'item' ), true ) ) {
		$source = 'dataset' === $path['root'] ? 'dataset.' . $path['keys'][0] : $path['text'];

		$report['sources'][ $source ] = true;
	}
	$reason = $reason ?? ( $path && 'page' === $path['root'] ? $path['text'] : null );
	if ( null !== $reason ) {
		$report['live_reasons'][ $reason ] = true;
	}
}
