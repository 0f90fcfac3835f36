// Breach: what a rewrite does that it may not, from a closed list.
#pragma once

namespace cg::rewrite {

enum class Breach {
  not_understood,   // one of the texts does not parse, so nobody can say
  new_global,       // a global, or a member of one
  new_import,       // a module, or an export of one that is not the package
  not_exported,     // the package has no such export
  dynamic_code,     // code from text, members and modules whose names are made up
  other_call,       // what is outside is called with other arguments, or no longer called
  outside_write,    // something outside is written to
  captured_name,    // a name that meant something outside means something else
  disguised_name,   // a name that looks like another, or mixes scripts
  changed_check,    // an assertion or an error is gone, changed, or not reached alike
  silenced_checks,  // tools are told to look away
  new_address,      // a text names a host that no text named
  carries_orders,   // a text or a comment gives orders to whoever reads the source
};

}  // namespace cg::rewrite
