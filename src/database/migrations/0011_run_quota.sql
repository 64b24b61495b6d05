-- Bytes that an account's runs have taken from the first to this one: what is older than a quota's worth is deleted.
alter table program_runs add column written double precision not null default 0;
create index program_runs_written on program_runs (account_id, written);
