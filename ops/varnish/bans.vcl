# Varnish without a module: docs/scale-and-caches.md#varnish.
vcl 4.1;

backend default { .host = "127.0.0.1"; .port = "8081"; }

# The processes of wp-frames that build pages.
acl purgers { "127.0.0.1"; }

sub vcl_recv {
  if (req.method == "BAN") {
    if (client.ip !~ purgers) { return (synth(405, "Not allowed")); }
    if (req.http.ban-tags !~ "^[a-z0-9|-]+$") { return (synth(400, "No tags")); }
    # Only properties of cached pages are compared, so that Varnish can do it in the background.
    ban("obj.http.xkey ~ (^|[^a-z0-9-])(" + req.http.ban-tags + ")([^a-z0-9-]|$)");
    return (synth(200, "Banned"));
  }
}

sub vcl_backend_response {
  if (beresp.http.xkey) { set beresp.grace = 0s; }
}

sub vcl_deliver { unset resp.http.xkey; }
