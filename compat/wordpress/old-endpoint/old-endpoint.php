<?php
/**
 * Plugin Name: Old endpoint
 *
 * An endpoint inside WordPress like the one that wp-frames replaces. It is written for the tests only: they compare wp-frames with it, route
 * requests between the two, and import its tokens. Do not install it in a real network.
 *
 * It serves the frames and menus of the contract on the same rows as wp-frames, and two families that wp-frames does not serve: pages and media.
 * It knows no languages, keeps no history, and writes neither the meta nor the baked copy of a frame.
 */

namespace Old_Endpoint;

require_once __DIR__ . '/errors.php';
require_once __DIR__ . '/limits.php';
require_once __DIR__ . '/tokens.php';
require_once __DIR__ . '/sites.php';
require_once __DIR__ . '/fields.php';
require_once __DIR__ . '/deviations.php';
require_once __DIR__ . '/transactions.php';
require_once __DIR__ . '/routes.php';
require_once __DIR__ . '/markup.php';
require_once __DIR__ . '/effects.php';
require_once __DIR__ . '/frames.php';
require_once __DIR__ . '/frame-writes.php';
require_once __DIR__ . '/menus.php';
require_once __DIR__ . '/menu-trees.php';
require_once __DIR__ . '/menu-writes.php';
require_once __DIR__ . '/menu-items.php';
require_once __DIR__ . '/data.php';
require_once __DIR__ . '/pages.php';
require_once __DIR__ . '/media.php';

add_action( 'rest_api_init', __NAMESPACE__ . '\register_routes' );
add_filter( 'rest_pre_dispatch', __NAMESPACE__ . '\before_dispatch', 10, 3 );
add_filter( 'rest_post_dispatch', __NAMESPACE__ . '\after_dispatch', 10, 3 );
add_filter( 'rest_pre_serve_request', __NAMESPACE__ . '\print_deviations', 10, 3 );
