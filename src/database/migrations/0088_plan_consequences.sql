-- JSON: what follows the commit of a plan, by kind; null where it was planned before this was kept.
alter table program_plans add column consequences text;
