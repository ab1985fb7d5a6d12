-- Only contents have a hash. Entries had one over their fields and over the hash of the entry before, which anybody who could change an entry could compute
-- again. `previous` is the version of the thing before the entry, formerly that hash: null if the thing had no entry or did not exist. An older program goes on.
ALTER TABLE `{prefix}svc_history` MODIFY `hash` binary(32) DEFAULT NULL;
