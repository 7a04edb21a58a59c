#ifndef DUETBENCH_TESTS_SCHEMA_H_
#define DUETBENCH_TESTS_SCHEMA_H_

#include <string>

#include "nlohmann/json.hpp"

#if __has_include(<valijson/validator.hpp>)
#define DUETBENCH_HAVE_VALIJSON
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace duetbench {

// The violations of `schema` by `document`; empty if there are none.
inline std::string Violations(const nlohmann::json& document, const nlohmann::json& schema) {
  valijson::Schema parsed;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema), parsed);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(parsed, valijson::adapters::NlohmannJsonAdapter(document), &results)) {
    return "";
  }
  std::string text = "invalid";
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const std::string& part : error.context) text += part;
    text += ": " + error.description + "\n";
  }
  return text;
}

}  // namespace duetbench
#endif

#endif  // DUETBENCH_TESTS_SCHEMA_H_
