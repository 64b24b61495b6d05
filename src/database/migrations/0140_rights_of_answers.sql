-- JSON of the rights of the first caller. A stored answer is given only to callers who still have them all. Null: not known.
alter table idempotency_keys add column rights text;
alter table program_results add column rights text;
alter table program_plans add column answer_rights text;
