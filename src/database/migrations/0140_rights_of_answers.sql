-- JSON: the rights that a kept answer was made with, which whoever is given it again must have; null where they are not known.
alter table idempotency_keys add column rights text;
alter table program_results add column rights text;
alter table program_plans add column answer_rights text;
