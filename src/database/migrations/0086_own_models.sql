-- The model that an account brings itself, with its key encrypted. No row: the model of the service.
create table own_models (
  account_id text not null,
  id text not null,
  provider text not null,
  model_id text not null,
  base_url text,
  sealed_key text,
  tokens_per_day integer not null,
  updated_at text not null,
  primary key (account_id, id)
);
create unique index own_models_account on own_models (account_id);
-- Of the day's tokens, those of the account's own model, which the operator does not pay for.
alter table model_tokens add column own_tokens double precision not null default 0;
