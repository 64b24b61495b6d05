create table forms (
  account_id text not null,
  id text not null,
  name text not null,
  description text,
  status text not null,
  fields text not null,
  confirmation_required integer not null,
  success_message text,
  redirect_url text,
  notification_emails text not null,
  tags text not null,
  submissions_count integer not null,
  archived_at text,
  metadata text not null,
  last_field_id integer not null,
  search_text text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

-- The page of a form is asked for by its id alone.
create index forms_by_id on forms (id);
create index forms_by_status on forms (account_id, status, id);

create table form_submissions (
  account_id text not null,
  id text not null,
  form text not null,
  respondent text,
  email text,
  name text,
  answers text not null,
  confirmed integer not null,
  metadata text not null,
  created_at text not null,
  primary key (account_id, id)
);

create index form_submissions_by_id on form_submissions (id);
create index form_submissions_by_form on form_submissions (account_id, form, id);
create index form_submissions_by_respondent on form_submissions (account_id, respondent, id) where respondent is not null;
-- Messages that wait for their confirmation are counted by address.
create index form_submissions_unconfirmed on form_submissions (account_id, email, created_at) where confirmed = 0;
