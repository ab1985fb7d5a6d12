-- How many sites a run with the state `trying` is applied to before the others. Older programs leave runs with this state to newer ones.
ALTER TABLE `{prefix}svc_runs` ADD COLUMN `canary` int unsigned DEFAULT NULL;
