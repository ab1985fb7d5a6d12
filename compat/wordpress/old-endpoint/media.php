<?php
/** Media, a family that wp-frames does not serve. */

namespace Old_Endpoint;

function present_media( $file ) {
	return array(
		'id'        => $file->ID,
		'title'     => $file->post_title,
		'mime_type' => $file->post_mime_type,
		'file'      => basename( (string) get_attached_file( $file->ID ) ),
		'bytes'     => (int) @filesize( (string) get_attached_file( $file->ID ) ),
		'url'       => wp_get_attachment_url( $file->ID ),
	);
}

function list_media( $call ) {
	$files = get_posts( array( 'post_type' => 'attachment', 'post_status' => 'inherit', 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC' ) );
	return array(
		'site_id' => $call['site'],
		'count'   => count( $files ),
		'items'   => array_map( __NAMESPACE__ . '\present_media', $files ),
	);
}

function the_media( $call ) {
	$file = get_post( (int) part( $call, 'id' ) );
	if ( ! $file || 'attachment' !== $file->post_type ) {
		throw new Failure( 'media_not_found', 'This site has no such file.' );
	}
	return $file;
}

function get_media( $call ) {
	return array( 'site_id' => $call['site'], 'media' => present_media( the_media( $call ) ) );
}

/** The bytes as they were sent. */
function get_media_bytes( $call ) {
	$file = the_media( $call );
	$path = (string) get_attached_file( $file->ID );
	if ( ! is_readable( $path ) ) {
		throw new Failure( 'media_not_found', 'The file is not on the disk.' );
	}
	add_filter(
		'rest_pre_serve_request',
		function ( $served ) use ( $file, $path ) {
			header( 'Content-Type: ' . $file->post_mime_type );
			header( 'Content-Length: ' . filesize( $path ) );
			readfile( $path );
			return true;
		},
		20
	);
	return new \WP_REST_Response( null );
}

/** Stores a file: `file` of a multipart form, or the body with the name in `Content-Disposition`. */
function upload_media( $call ) {
	require_once ABSPATH . 'wp-admin/includes/file.php';
	require_once ABSPATH . 'wp-admin/includes/image.php';
	require_once ABSPATH . 'wp-admin/includes/media.php';
	wp_set_current_user( $call['user']->ID );
	$files = $call['request']->get_file_params();
	if ( isset( $files['file'] ) ) {
		$stored = wp_handle_upload( $files['file'], array( 'test_form' => false ) );
	} else {
		$bytes = $call['request']->get_body();
		if ( '' === $bytes || ! preg_match( '/filename="?([^";]+)/', (string) $call['request']->get_header( 'content_disposition' ), $found ) ) {
			throw new Failure( 'media_required', 'Send a file as "file" of a multipart form, or as the body with Content-Disposition: attachment; filename="name".' );
		}
		$temporary = wp_tempnam( $found[1] );
		file_put_contents( $temporary, $bytes );
		$file   = array( 'name' => $found[1], 'tmp_name' => $temporary, 'size' => strlen( $bytes ), 'error' => 0 );
		$stored = wp_handle_sideload( $file, array( 'test_form' => false ) );
		// A stored file has been moved.
		if ( file_exists( $temporary ) ) {
			unlink( $temporary );
		}
	}
	if ( isset( $stored['error'] ) ) {
		throw new Failure( 'media_refused', $stored['error'] );
	}
	$id = wp_insert_attachment(
		array(
			'post_title'     => pathinfo( $stored['file'], PATHINFO_FILENAME ),
			'post_mime_type' => $stored['type'],
			'guid'           => $stored['url'],
			'post_status'    => 'inherit',
		),
		$stored['file']
	);
	return array( 'site_id' => $call['site'], 'created' => true, 'media' => present_media( get_post( $id ) ) );
}
