# Varnish with the module xkey: docs/scale-and-caches.md#varnish.
vcl 4.1;
import xkey;

backend default { .host = "127.0.0.1"; .port = "8081"; }

# The processes of wp-frames that build pages.
acl purgers { "127.0.0.1"; }

sub vcl_recv {
  if (req.method == "PURGE") {
    if (client.ip !~ purgers) { return (synth(405, "Not allowed")); }
    if (req.http.xkey-softpurge) {
      set req.http.purged = xkey.softpurge(req.http.xkey-softpurge);
      return (synth(200, "Purged " + req.http.purged));
    }
    return (purge);
  }
}

sub vcl_backend_response {
  # A purged page is not sent again before it is revalidated by its ETag.
  if (beresp.http.xkey) {
    set beresp.grace = 0s;
    set beresp.keep = 1h;
  }
}

sub vcl_deliver { unset resp.http.xkey; }
