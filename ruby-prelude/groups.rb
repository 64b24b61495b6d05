# The rows of a list, grouped by the values of their fields. The database computes the figures of the groups; all other methods
# read the rows.
module Sandbox
  class Groups
    include Enumerable
    MOST_FIELDS = 3
    OF_HASHES = %i[
      [] fetch dig key? keys values size length empty? each_pair each_key each_value transform_values transform_keys
      values_at slice except
    ].freeze

    # Returns whether the argument of `sum` names a field. Otherwise, it is the initial value of Ruby's own `sum`.
    def self.field?(value, block) = !block && (String === value || Symbol === value)

    def self.name(field)
      return field if field.nil? || String === field
      raise ArgumentError, "a field is named by a text such as \"amount\", not #{Plain::CLASS.bind_call(field)}" unless Symbol === field
      field.name
    end

    # The block takes the name of a figure and of its field, and returns the figure of each group by the values of `fields`.
    def initialize(rows, fields, &ask)
      raise ArgumentError, "group_by takes at most #{MOST_FIELDS} fields" if fields.size > MOST_FIELDS
      @rows = rows
      @fields = fields
      @ask = ask
    end

    def count(*values, &block) = values.empty? && !block ? figures("count") : super
    def sum(field = 0, &block) = Groups.field?(field, block) ? figures("sum", field) : super
    def minimum(field) = figures("minimum", field)
    def maximum(field) = figures("maximum", field)

    def each(&block)
      return to_enum unless block
      by_values.each(&block)
      self
    end

    def to_h(&block) = by_values.to_h(&block)
    OF_HASHES.each { |name| define_method(name) { |*arguments, &block| by_values.public_send(name, *arguments, &block) } }

    def inspect = "#{@rows.inspect}.group_by(#{@fields.map(&:inspect).join(", ")})"
    alias to_s inspect
    def to_json(*state) = by_values.to_json(*state)

    private

    def figures(name, field = nil) = @ask.call(name, field).transform_keys { |values| key(values) }

    def by_values
      @by_values ||= @rows.group_by { |row| key(@fields.map { |field| row.fetch(Groups.name(field)) }) }
    end

    # One field groups by its value, and several by an array of their values.
    def key(values) = @fields.size == 1 ? values.first : values
  end
end
