<?php
/** The locations of the contract. */
function four_locations_register() {
	register_nav_menus(
		array(
			'header'   => 'Header',
			'footer_1' => 'Footer, first column',
			'footer_2' => 'Footer, second column',
			'footer_3' => 'Footer, third column',
		)
	);
}
add_action( 'after_setup_theme', 'four_locations_register' );
