<?php
// wp-content/mu-plugins/clear-page-cache.php: clears the caches of plugins when a menu has changed, see docs/scale-and-caches.md.
add_action('rest_api_init', fn () => register_rest_route('page-cache/v1', '/clear', [
    'methods' => 'POST',
    'permission_callback' => '__return_true',
    'callback' => function (WP_REST_Request $request) {
        $header = fn (string $name): string => (string) $request->get_header("webhook-$name");
        $key = base64_decode(substr(WP_FRAMES_SECRETS[get_current_blog_id()] ?? '', strlen('whsec_')));
        $signed = $header('id') . '.' . $header('timestamp') . '.' . $request->get_body();
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
        $genuine = array_filter(explode(' ', $header('signature')), fn ($one) => hash_equals($expected, $one));
        if ($key === '' || !$genuine || abs(time() - (int) $header('timestamp')) > 300) {
            return new WP_Error('unsigned', 'The signature is not valid.', ['status' => 401]);
        }
        array_map(fn ($menu) => do_action('wp_update_nav_menu', $menu->term_id), wp_get_nav_menus());
        // Of WP Super Cache. Others: w3tc_flush_all(), rocket_clean_domain(), do_action('litespeed_purge_all').
        if (function_exists('wp_cache_clear_cache')) {
            wp_cache_clear_cache();
        }
        return new WP_REST_Response(null, 204);
    },
]));
