-- Tokens of models that an account has used on a day of UTC.
create table model_tokens (
  account_id text not null,
  day text not null,
  tokens double precision not null,
  primary key (account_id, day)
);
