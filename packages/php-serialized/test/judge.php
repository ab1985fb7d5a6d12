<?php
/**
 * Reads one JSON case a line, all strings in base64, and answers one JSON verdict a line:
 *   {"edit": "set"|"remove", "before", "after", "path": [], "value"}  the same edit, done by PHP
 *   {"accepts"}                                                       does PHP unserialize it?
 *   {"float"}                                                         the same digits, as PHP serializes them
 */
error_reporting( 0 );

enum Suit {
	case Hearts;
	case Spades;
}

class Crate implements Serializable {
	public $load;
	public function serialize() {
		return $this->load;
	}
	public function unserialize( $load ) {
		$this->load = $load;
	}
}

function read( string $text ) {
	return unserialize( $text, array( 'max_depth' => 0 ) );
}

function edited( array $case ) {
	$root = read( $case['before'] );
	$last = array_pop( $case['path'] );
	$at   = &$root;
	foreach ( $case['path'] as $key ) {
		$at = &$at[ $key ];
	}
	if ( 'remove' === $case['edit'] ) {
		unset( $at[ $last ] );
	} else {
		// Bound as a new reference: an assignment would write through a reference.
		$value       = read( $case['value'] );
		$at[ $last ] = &$value;
	}
	unset( $at, $value );
	return serialize( $root );
}

function judge( array $case ) {
	if ( isset( $case['accepts'] ) ) {
		return false !== read( $case['accepts'] ) || 'b:0;' === $case['accepts'];
	}
	if ( isset( $case['float'] ) ) {
		return base64_encode( serialize( (float) $case['float'] ) );
	}
	$canonical = serialize( read( $case['before'] ) ) === $case['before'];
	$edited    = edited( $case );
	return array(
		'canonical' => $canonical,
		'right'     => $edited === ( $canonical ? $case['after'] : serialize( read( $case['after'] ) ) ),
		'edited'    => base64_encode( $edited ),
	);
}

while ( false !== ( $line = fgets( STDIN ) ) ) {
	$case = array_map(
		fn( $field ) => is_array( $field ) ? array_map( 'base64_decode', $field ) : base64_decode( $field ),
		json_decode( $line, true )
	);
	echo json_encode( judge( $case ) ), "\n";
}
