<?php
/**
 * A persistent object cache in Redis with the keys of Redis Object Cache or WP Redis: the request chooses the plugin, the
 * Redis and the prefix. The differences between the two are in `redis_key`; the rest is common to all drop-ins.
 */
class WP_Object_Cache {
	private $redis;
	private $form;
	private $prefix;
	private $blog;
	private $shared = array();
	private $fleeting = array();
	private $loaded = array();

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
		if ( ! array_key_exists( $id, $this->loaded ) && ! isset( $this->fleeting[ $group ] ) ) {
			$stored = $this->redis->get( $id );
			if ( false !== $stored ) {
				$this->loaded[ $id ] = unserialize( $stored );
			}
		}
		$found = array_key_exists( $id, $this->loaded );
		$value = $found ? $this->loaded[ $id ] : false;
		return is_object( $value ) ? clone $value : $value;
	}

	/** Fetches the values that are not in memory yet, in one command. */
	public function get_multiple( $keys, $group ) {
		$ids = array();
		foreach ( $keys as $key ) {
			$id = $this->redis_key( $key, $group );
			if ( ! array_key_exists( $id, $this->loaded ) && ! isset( $this->fleeting[ $group ] ) ) {
				$ids[] = $id;
			}
		}
		foreach ( $ids ? $this->redis->mGet( $ids ) : array() as $index => $stored ) {
			if ( false !== $stored ) {
				$this->loaded[ $ids[ $index ] ] = unserialize( $stored );
			}
		}
		$values = array();
		foreach ( $keys as $key ) {
			$id             = $this->redis_key( $key, $group );
			$value          = $this->loaded[ $id ] ?? false;
			$values[ $key ] = is_object( $value ) ? clone $value : $value;
		}
		return $values;
	}

	public function set( $key, $value, $group ) {
		$id                = $this->redis_key( $key, $group );
		$this->loaded[ $id ] = is_object( $value ) ? clone $value : $value;
		return isset( $this->fleeting[ $group ] ) || $this->redis->set( $id, serialize( $value ) );
	}

	public function delete( $key, $group ) {
		$id      = $this->redis_key( $key, $group );
		$is_loaded = array_key_exists( $id, $this->loaded );
		unset( $this->loaded[ $id ] );
		return isset( $this->fleeting[ $group ] ) ? $is_loaded : $this->redis->del( $id ) > 0;
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

	public function clear_loaded() {
		$this->loaded = array();
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
	throw new LogicException( 'flushing the cache is not allowed here' );
}

function wp_cache_flush_runtime() {
	return $GLOBALS['wp_object_cache']->clear_loaded();
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
