-- JSON: the rights that the calls of a plan's program needed; null where it was planned before this was kept.
alter table program_plans add column needs text;
