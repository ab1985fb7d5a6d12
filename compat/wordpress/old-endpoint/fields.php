<?php
/** Fields of requests. */

namespace Old_Endpoint;

/** A boolean in any spelling that WordPress's REST API accepts. */
function flag( $fields, $name, $default ) {
	$value = $fields[ $name ] ?? null;
	if ( null === $value ) {
		return $default;
	}
	$text = is_string( $value ) ? strtolower( $value ) : $value;
	if ( in_array( $text, array( true, 1, '1', 'true' ), true ) ) {
		return true;
	}
	if ( in_array( $text, array( false, 0, '0', 'false', '' ), true ) ) {
		return false;
	}
	throw invalid_param( $name, 'must be true or false' );
}

/** A field, or null if it is missing, null or ''. */
function given( $fields, $name ) {
	$value = $fields[ $name ] ?? null;
	return '' === $value ? null : $value;
}

/** A body or query of which a site without languages refuses `lang`. */
function assert_no_language( $fields ) {
	if ( null !== given( $fields, 'lang' ) ) {
		throw new Failure( 'polylang_inactive', 'Polylang is not active on this site, so its menus have no languages. Leave "lang" out.' );
	}
}

/** The body of a write of frames; empty if there is none. */
function object_body( $call ) {
	$body = $call['body'] ?? array();
	if ( ! is_array( $body ) || ( array() !== $body && array_is_list( $body ) ) ) {
		throw invalid_param( 'body', 'must be an object' );
	}
	return $body;
}

/** A part of the path, decoded. */
function part( $call, $name ) {
	return rawurldecode( $call['params'][ $name ] );
}

/** An empty map must be an object in JSON. */
function map( $array ) {
	return array() === $array ? (object) array() : $array;
}
