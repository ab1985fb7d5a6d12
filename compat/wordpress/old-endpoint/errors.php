<?php
/** The errors of the contract, in its two shapes. */

namespace Old_Endpoint;

/** Codes that are answered before an endpoint runs, with the shape of WordPress's own errors. */
const BEFORE_HANDLER = array(
	'missing_token'               => 401,
	'invalid_token'               => 401,
	'too_many_auth_failures'      => 429,
	'too_many_requests'           => 429,
	'insufficient_role'           => 403,
	'site_not_found'              => 404,
	'rest_invalid_json'           => 400,
	'rest_unsupported_media_type' => 415,
	'rest_invalid_param'          => 400,
	'internal_error'              => 500,
);

const IN_HANDLER = array(
	'gone'                       => 410,
	'frame_not_found'            => 404,
	'frame_ref_required'         => 400,
	'frame_html_required'        => 400,
	'frame_url_not_supported'    => 400,
	'frame_ref_conflict'         => 400,
	'frame_too_large'            => 413,
	'frame_unreadable'           => 500,
	'invalid_slug'               => 400,
	'slug_taken'                 => 409,
	'nothing_to_update'          => 400,
	'nothing_to_rebake'          => 400,
	'page_required'              => 400,
	'page_not_found'             => 404,
	'ambiguous_page'             => 409,
	'menu_not_found'             => 404,
	'menu_not_assigned'          => 404,
	'ambiguous_menu'             => 409,
	'menu_name_required'         => 400,
	'bad_items'                  => 400,
	'menu_items_unresolved'      => 409,
	'menu_items_invalid'         => 409,
	'item_target_required'       => 400,
	'item_not_found'             => 404,
	'bad_parent'                 => 409,
	'bad_reorder'                => 400,
	'location_required'          => 400,
	'unknown_location'           => 400,
	'polylang_inactive'          => 409,
	'menu_assignment_not_stored' => 500,
	'unknown_source'             => 404,
	'title_required'             => 400,
	'media_required'             => 400,
	'media_refused'              => 400,
	'media_not_found'            => 404,
);

/** An error that a client can handle by its code. */
class Failure extends \Exception {
	public $error;
	public $fields;
	public $headers;

	public function __construct( $code, $message, $fields = array(), $headers = array() ) {
		parent::__construct( $message );
		$this->error   = $code;
		$this->fields  = $fields;
		$this->headers = $headers;
	}

	public function response() {
		$before = BEFORE_HANDLER[ $this->error ] ?? null;
		$status = $before ?? IN_HANDLER[ $this->error ];
		$body   = null === $before
			? array(
				'success' => false,
				'error'   => $this->error,
				'message' => $this->getMessage(),
			) + $this->fields
			: array(
				'code'    => $this->error,
				'message' => $this->getMessage(),
				'data'    => array( 'status' => $status ) + $this->fields,
			);
		return new \WP_REST_Response( $body, $status, $this->headers );
	}
}

function invalid_param( $name, $rule ) {
	return new Failure( 'rest_invalid_param', "Invalid parameter(s): $name. It $rule.", array( 'params' => array( $name => $rule ) ) );
}
