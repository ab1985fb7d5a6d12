<?php
/** Data sources, as frames read them. */

namespace Old_Endpoint;

const SETTINGS = array( 'blogname', 'blogdescription', 'home', 'siteurl', 'WPLANG', 'timezone_string', 'gmt_offset', 'date_format', 'time_format', 'start_of_week', 'posts_per_page', 'show_on_front', 'page_on_front', 'page_for_posts', 'wp_page_for_privacy_policy', 'permalink_structure', 'blog_public', 'site_icon', 'stylesheet' );

function unknown_source( $source ) {
	return new Failure( 'unknown_source', "Unknown data source \"$source\". The data sources are menu.<location>, site, settings, pages, languages and dataset.<name>." );
}

function get_data( $call ) {
	$source = part( $call, 'source' );
	assert_no_language( $call['query'] );
	$answer = array( 'site_id' => $call['site'], 'source' => $source, 'lang' => null );
	$path   = in_array( $source, array( 'site', 'settings' ), true ) ? array( 'root' => $source, 'keys' => array() ) : parse_path( $source );
	if ( ! $path ) {
		throw unknown_source( $source );
	}
	switch ( $path['root'] ) {
		case 'menu':
			return $answer + read_menu_source( $path['keys'][0] );
		case 'pages':
			return $answer + list_source( page_rows() );
		case 'languages':
			return $answer + list_source( array() );
		case 'site':
			return $answer + value_source( $source, site_values( $call['site'] ), $path['keys'] );
		case 'settings':
			return $answer + value_source( $source, settings_values(), $path['keys'] );
		case 'dataset':
			$name   = array_shift( $path['keys'] );
			$stored = get_option( "svc_data_$name", null );
			$data   = is_string( $stored ) ? json_decode( $stored ) : json_decode( wp_json_encode( $stored ) );
			if ( null === $stored ) {
				throw unknown_source( $source );
			}
			return $answer + value_source( $source, $data, $path['keys'] );
	}
	throw unknown_source( $source );
}

function read_menu_source( $location ) {
	$menu = get_term( locations_of( get_option( 'stylesheet' ) )[ $location ] ?? 0, 'nav_menu' );
	if ( ! $menu instanceof \WP_Term ) {
		assert_location( $location );
		return array( 'menu' => null, 'total' => 0, 'items' => array() );
	}
	list( $total, $rows ) = menu_rows( $menu );
	return array( 'menu' => present_menu( $menu ), 'total' => $total, 'items' => $rows );
}

function list_source( $items ) {
	return array( 'total' => count( $items ), 'items' => $items );
}

function value_source( $source, $value, $keys ) {
	foreach ( $keys as $key ) {
		$value = is_object( $value ) ? get_object_vars( $value ) : $value;
		if ( ! is_array( $value ) || ! array_key_exists( $key, $value ) ) {
			throw unknown_source( $source );
		}
		$value = $value[ $key ];
	}
	return is_array( $value ) && array_is_list( $value ) ? list_source( $value ) : array( 'value' => $value );
}

/** The pages that any visitor may see. */
function page_rows() {
	$pages = get_posts( array( 'post_type' => 'page', 'post_status' => 'publish', 'has_password' => false, 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC' ) );
	return array_map(
		function ( $page ) {
			return array(
				'id'       => $page->ID,
				'title'    => $page->post_title,
				'url'      => get_permalink( $page ),
				'slug'     => $page->post_name,
				'path'     => get_page_uri( $page ),
				'lang'     => null,
				'parent'   => $page->post_parent,
				'date'     => $page->post_date,
				'modified' => $page->post_modified,
			);
		},
		$pages
	);
}

/** Options as texts; a missing one is ''. */
function settings_values() {
	$values = array();
	foreach ( SETTINGS as $name ) {
		$value           = get_option( $name, '' );
		$text            = is_scalar( $value ) ? (string) $value : '';
		$values[ $name ] = in_array( $name, array( 'blogname', 'blogdescription' ), true ) ? html_entity_decode( $text, ENT_QUOTES | ENT_HTML5, 'UTF-8' ) : $text;
	}
	return $values;
}

function site_values( $blog_id ) {
	$settings = settings_values();
	$locale   = '' === $settings['WPLANG'] ? 'en_US' : $settings['WPLANG'];
	$home     = untrailingslashit( $settings['home'] );
	$rtl      = 1 === preg_match( '/^(?:ar|ary|azb|ckb|dv|fa|haz|he|ps|sd|skr|snd|ug|ur)(?:_|$)/', $locale );
	return array(
		'id'          => $blog_id,
		'title'       => $settings['blogname'],
		'description' => $settings['blogdescription'],
		'url'         => "$home/",
		'home'        => $home,
		'domain'      => get_site( $blog_id )->domain,
		'lang'        => explode( '_', $locale )[0],
		'locale'      => $locale,
		'rtl'         => $rtl,
		'dir'         => $rtl ? 'rtl' : 'ltr',
	);
}
