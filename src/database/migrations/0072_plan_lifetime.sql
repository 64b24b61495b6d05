-- How long plans of the account can be decided on.
alter table accounts add column plan_lifetime_hours integer not null default 72;
-- A plan that was made again, and the one that took its place.
alter table program_plans add column replaces text;
alter table program_plans add column replaced_by text;
