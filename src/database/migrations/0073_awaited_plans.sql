-- 1 where a client waits for the decision on a plan.
alter table program_plans add column awaited integer not null default 0;
-- The sealed answer of applying it, for that client.
alter table program_plans add column answer text;
