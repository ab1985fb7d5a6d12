<?php
/**
 * A persistent object cache in Redis that keeps its keys as Redis Object Cache or WP Redis does: the request says which, at which
 * Redis, with which prefix. What differs between the two is in `redis_key`; the rest is what every drop-in does.
 */
class WP_Object_Cache {
	private $redis;
	private $form;
	private $prefix;
	private $blog;
	private $shared = array();
	private $fleeting = array();
	private $held = array();

	public function __construct( $cache ) {
		$address     = parse_url( $cache['url'] );
		$this->redis = new Redis();
		$this->redis->connect( $address['host'], $address['port'] );
		$this->form   = $cache['form'];
		$this->prefix = $cache['prefix'];
		$this->blog   = get_current_blog_id();
	}

	private function redis_key( $key, $group ) {
		$is_shared = isset( $this->shared[ $group ] );
		if ( 'redis-object-cache' === $this->form ) {
			$parts = str_replace( ':', '-', array( $group, $key ) );
			return trim( $this->prefix ) . ( $is_shared ? '' : $this->blog ) . ":$parts[0]:$parts[1]";
		}
		return preg_replace( '/\s+/', '', $this->prefix . ( $is_shared ? '' : "$this->blog:" ) . "$group:$key" );
	}

	public function get( $key, $group, &$found ) {
		$id = $this->redis_key( $key, $group );
		if ( ! array_key_exists( $id, $this->held ) && ! isset( $this->fleeting[ $group ] ) ) {
			$stored = $this->redis->get( $id );
			if ( false !== $stored ) {
				$this->held[ $id ] = unserialize( $stored );
			}
		}
		$found = array_key_exists( $id, $this->held );
		$value = $found ? $this->held[ $id ] : false;
		return is_object( $value ) ? clone $value : $value;
	}

	/** Fetches what is not held yet, all at once. */
	public function get_multiple( $keys, $group ) {
		$ids = array();
		foreach ( $keys as $key ) {
			$id = $this->redis_key( $key, $group );
			if ( ! array_key_exists( $id, $this->held ) && ! isset( $this->fleeting[ $group ] ) ) {
				$ids[] = $id;
			}
		}
		foreach ( $ids ? $this->redis->mGet( $ids ) : array() as $place => $stored ) {
			if ( false !== $stored ) {
				$this->held[ $ids[ $place ] ] = unserialize( $stored );
			}
		}
		$values = array();
		foreach ( $keys as $key ) {
			$id             = $this->redis_key( $key, $group );
			$value          = $this->held[ $id ] ?? false;
			$values[ $key ] = is_object( $value ) ? clone $value : $value;
		}
		return $values;
	}

	public function set( $key, $value, $group ) {
		$id                = $this->redis_key( $key, $group );
		$this->held[ $id ] = is_object( $value ) ? clone $value : $value;
		return isset( $this->fleeting[ $group ] ) || $this->redis->set( $id, serialize( $value ) );
	}

	public function delete( $key, $group ) {
		$id      = $this->redis_key( $key, $group );
		$is_held = array_key_exists( $id, $this->held );
		unset( $this->held[ $id ] );
		return isset( $this->fleeting[ $group ] ) ? $is_held : $this->redis->del( $id ) > 0;
	}

	public function share( $groups ) {
		$this->shared += array_fill_keys( $groups, true );
	}

	public function never_store( $groups ) {
		$this->fleeting += array_fill_keys( $groups, true );
	}

	public function switch_to_blog( $blog ) {
		$this->blog = $blog;
	}

	public function forget_held() {
		$this->held = array();
		return true;
	}
}

function wp_cache_init() {
	global $wp_object_cache, $compat_cache;
	$wp_object_cache = new WP_Object_Cache( $compat_cache );
}

function wp_cache_get( $key, $group = '', $force = false, &$found = null ) {
	return $GLOBALS['wp_object_cache']->get( $key, $group ?: 'default', $found );
}

function wp_cache_get_multiple( $keys, $group = '', $force = false ) {
	return $GLOBALS['wp_object_cache']->get_multiple( $keys, $group ?: 'default' );
}

function wp_cache_set( $key, $value, $group = '', $expire = 0 ) {
	return $GLOBALS['wp_object_cache']->set( $key, $value, $group ?: 'default' );
}

function wp_cache_add( $key, $value, $group = '', $expire = 0 ) {
	wp_cache_get( $key, $group, false, $found );
	return ! $found && ! wp_suspend_cache_addition() && wp_cache_set( $key, $value, $group );
}

function wp_cache_replace( $key, $value, $group = '', $expire = 0 ) {
	wp_cache_get( $key, $group, false, $found );
	return $found && wp_cache_set( $key, $value, $group );
}

function wp_cache_delete( $key, $group = '' ) {
	return $GLOBALS['wp_object_cache']->delete( $key, $group ?: 'default' );
}

function wp_cache_incr( $key, $offset = 1, $group = '' ) {
	$value = wp_cache_get( $key, $group, false, $found );
	return $found && wp_cache_set( $key, $value + $offset, $group ) ? $value + $offset : false;
}

function wp_cache_decr( $key, $offset = 1, $group = '' ) {
	return wp_cache_incr( $key, -$offset, $group );
}

function wp_cache_flush() {
	throw new LogicException( 'nothing here may flush the cache' );
}

function wp_cache_flush_runtime() {
	return $GLOBALS['wp_object_cache']->forget_held();
}

function wp_cache_close() {
	return true;
}

function wp_cache_add_global_groups( $groups ) {
	$GLOBALS['wp_object_cache']->share( (array) $groups );
}

function wp_cache_add_non_persistent_groups( $groups ) {
	$GLOBALS['wp_object_cache']->never_store( (array) $groups );
}

function wp_cache_switch_to_blog( $blog ) {
	$GLOBALS['wp_object_cache']->switch_to_blog( (int) $blog );
}
