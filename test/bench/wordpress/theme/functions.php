<?php
/** The locations of the contract. */
function opal_register() {
	add_theme_support( 'title-tag' );
	register_nav_menus(
		array(
			'header'   => 'Header',
			'footer_1' => 'Footer, first column',
			'footer_2' => 'Footer, second column',
			'footer_3' => 'Footer, third column',
		)
	);
}
add_action( 'after_setup_theme', 'opal_register' );
