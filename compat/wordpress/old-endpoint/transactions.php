<?php
/** Writes as transactions. WordPress's functions read and write in separate statements, between which another program may write. */

namespace Old_Endpoint;

const MAX_ATTEMPTS   = 6;
const LOCK_CONFLICTS = array( 1205, 1213 );

/**
 * Runs a write of the current site in one transaction that holds the rows which wp-frames locks, in its order: menus, then options by name. It
 * starts again after a deadlock, and leaves nothing behind if it fails.
 */
function in_transaction( $write ) {
	global $wpdb;
	for ( $attempt = 1; ; $attempt++ ) {
		// Otherwise WordPress goes on after a failed statement.
		mysqli_report( MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT );
		try {
			// Otherwise the name of the theme, which may be read before the rows are locked, sets the moment of all later reads.
			$wpdb->query( 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED' );
			$wpdb->query( 'START TRANSACTION' );
			$wpdb->get_results( "SELECT term_taxonomy_id FROM $wpdb->term_taxonomy WHERE taxonomy = 'nav_menu' ORDER BY term_taxonomy_id FOR UPDATE" );
			$wpdb->get_results( "SELECT option_id FROM $wpdb->options WHERE option_name IN ('svc_frames', 'theme_mods_" . esc_sql( get_stylesheet() ) . "') ORDER BY option_name FOR UPDATE" );
			wp_cache_flush();
			$answer = $write();
			$wpdb->query( 'COMMIT' );
			return $answer;
		} catch ( \mysqli_sql_exception $conflict ) {
			$wpdb->query( 'ROLLBACK' );
			if ( $attempt === MAX_ATTEMPTS || ! in_array( $conflict->getCode(), LOCK_CONFLICTS, true ) ) {
				throw $conflict;
			}
			usleep( random_int( 0, 20000 ) );
		} catch ( \Throwable $thrown ) {
			$wpdb->query( 'ROLLBACK' );
			throw $thrown;
		} finally {
			wp_cache_flush();
			mysqli_report( MYSQLI_REPORT_OFF );
		}
	}
}
