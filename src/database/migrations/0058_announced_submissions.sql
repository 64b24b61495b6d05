-- Submissions are announced once they are confirmed, and the leads that they made. Those of earlier versions were announced
-- when they came.
alter table form_submissions add column announced integer not null default 1;
alter table customers add column lead_announced integer not null default 1;
create index form_submissions_by_confirmed on form_submissions (account_id, confirmed, id);
